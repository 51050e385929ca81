import Foundation
package import WireProtocol

/// When a job's window opens and closes: a pure function of the window, the instant and the time-zone database.
///
/// A window opens at a wall time of each of its days and closes at the next such time of its end. Where a wall time
/// does not exist or exists twice, RFC 5545 §3.3.5 says which instant is meant: one that occurs twice is the first of
/// them, and one that is skipped counts from the offset before the gap.
///
///     spring, Berlin   01:59 │ 03:00        02:30 is 03:30, as late after midnight as on every night
///     autumn, Berlin   02:59 │ 02:00        02:30 is the first 02:30
///
/// So a window from 22:00 to 06:00 lasts seven hours in the night in which clocks go forward, and nine when they go back.
/// A window that ends no later than it begins, because only its beginning was skipped, does not open on that day.
package struct WindowCalendar: Sendable {
    private let window: JobWindow
    private let clock: ZoneClock

    /// Makes the calendar of a window. A time zone that this machine does not know counts as UTC: windows are refused
    /// for that when they are submitted.
    package init(_ window: JobWindow) {
        self.window = window
        clock = ZoneClock(TimeZone(identifier: window.timeZone) ?? .gmt)
    }

    /// Whether work may begin at `now`. The instant at which the window closes lies outside of it.
    package func isOpen(at now: FarmTime) -> Bool { isOpen(at: now.seconds) }

    /// The next instant after `now` at which the window opens or closes. Windows that touch are one.
    package func nextChange(after now: FarmTime) -> FarmTime {
        let start = now.seconds
        let wasOpen = isOpen(at: start)
        let today = day(of: start)
        // A day of the week comes again within seven days; the days beyond are for one whose window did not open.
        let bounds = (today - 2...today + 16).compactMap(opening).flatMap { [$0.lowerBound, $0.upperBound] }
        let later = bounds.filter { $0 > start }.sorted()
        let change = later.first { isOpen(at: $0) != wasOpen } ?? later.last ?? start + 7 * Self.day
        return FarmTime(milliseconds: change * 1000)
    }

    /// The wall time that clocks of the window's zone show at `now`, and the day of the week there.
    package func wall(at now: FarmTime) -> (day: Weekday, time: WallTime) {
        let local = now.seconds + clock.offset(at: now.seconds)
        return (weekday(of: day(of: now.seconds)), WallTime(minutes: Int(local.remainder(of: Self.day) / 60)))
    }

    // Instants are seconds since 1970 in UTC; days are counted from 1970-01-01 by the zone's calendar.

    private static let day: Int64 = 86_400

    private func isOpen(at instant: Int64) -> Bool {
        let today = day(of: instant)
        return (today - 2...today + 1).contains { opening(on: $0)?.contains(instant) ?? false }
    }

    /// The window that opens on a day; nil for a day on which it does not.
    private func opening(on day: Int64) -> Range<Int64>? {
        guard window.days?.days.contains(weekday(of: day)) ?? true else { return nil }
        let start = instant(of: window.after, on: day)
        let end = instant(of: window.until, on: window.until.minutes > window.after.minutes ? day : day + 1)
        return start < end ? start..<end : nil
    }

    private func instant(of time: WallTime, on day: Int64) -> Int64 {
        clock.instant(of: day * Self.day + Int64(time.minutes) * 60)
    }

    private func day(of instant: Int64) -> Int64 { (instant + clock.offset(at: instant)).quotient(by: Self.day) }

    /// 1970-01-01 was a Thursday.
    private func weekday(of day: Int64) -> Weekday { Weekday.allCases[Int((day + 3).remainder(of: 7))] }
}

extension FarmTime {
    /// The seconds since 1970, rounded down.
    fileprivate var seconds: Int64 { milliseconds.quotient(by: 1000) }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func quotient(by divisor: Int64) -> Int64 { (self - remainder(of: divisor)) / divisor }

    /// The remainder of dividing by `divisor`, never negative.
    fileprivate func remainder(of divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}
