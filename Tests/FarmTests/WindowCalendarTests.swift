import Foundation
import Testing
import WireProtocol

@testable import Farm

/// When windows open and close, in zones that put their clocks forward and back.
@Suite struct WindowCalendarTests {
    struct Night: Sendable, CustomTestStringConvertible {
        let zone: String
        let after: String
        let until: String
        var days: String?
        /// The instant from which changes are looked for; the window is closed then.
        let from: String
        /// The openings and closings that follow, in turn.
        let changes: [String]

        var testDescription: String { "\(after) to \(until) on \(days ?? "every day"), \(zone), from \(from)" }
    }

    private static func time(_ text: String) throws -> FarmTime {
        FarmTime(milliseconds: Int64(try Date(text + ":00Z", strategy: .iso8601).timeIntervalSince1970) * 1000)
    }

    private static func calendar(
        _ zone: String,
        _ after: String,
        _ until: String,
        _ days: String? = nil
    ) throws -> WindowCalendar {
        let window = JobWindow(
            after: try #require(WallTime(after)),
            until: try #require(WallTime(until)),
            days: try days.map { try #require(WeekdaySet($0)) },
            timeZone: zone
        )
        #expect(window.problem == nil)
        return WindowCalendar(window)
    }

    private static let berlin = "Europe/Berlin"
    private static let newYork = "America/New_York"

    @Test(arguments: [
        // An ordinary night, over midnight; a window within a day.
        Night(
            zone: berlin,
            after: "22:00",
            until: "06:00",
            from: "2026-01-10T12:00",
            changes: ["2026-01-10T21:00", "2026-01-11T05:00", "2026-01-11T21:00"]
        ),
        Night(
            zone: "Asia/Kolkata",
            after: "09:15",
            until: "17:00",
            from: "2026-01-10T00:00",
            changes: ["2026-01-10T03:45", "2026-01-10T11:30", "2026-01-11T03:45"]
        ),
        // The clocks go forward: the night has seven hours; and back: it has nine.
        Night(
            zone: berlin,
            after: "22:00",
            until: "06:00",
            from: "2026-03-28T12:00",
            changes: ["2026-03-28T21:00", "2026-03-29T04:00", "2026-03-29T20:00", "2026-03-30T04:00"]
        ),
        Night(
            zone: berlin,
            after: "22:00",
            until: "06:00",
            from: "2026-10-24T12:00",
            changes: ["2026-10-24T20:00", "2026-10-25T05:00", "2026-10-25T21:00", "2026-10-26T05:00"]
        ),
        Night(
            zone: newYork,
            after: "22:00",
            until: "06:00",
            from: "2026-03-07T12:00",
            changes: ["2026-03-08T03:00", "2026-03-08T10:00", "2026-03-09T02:00"]
        ),
        Night(
            zone: newYork,
            after: "22:00",
            until: "06:00",
            from: "2026-10-31T12:00",
            changes: ["2026-11-01T02:00", "2026-11-01T11:00", "2026-11-02T03:00"]
        ),
        // A wall time that does not exist counts from the offset before: 02:30 is 03:30.
        Night(
            zone: berlin,
            after: "22:00",
            until: "02:30",
            from: "2026-03-28T12:00",
            changes: ["2026-03-28T21:00", "2026-03-29T01:30", "2026-03-29T20:00", "2026-03-30T00:30"]
        ),
        Night(
            zone: newYork,
            after: "02:30",
            until: "06:00",
            from: "2026-03-08T00:00",
            changes: ["2026-03-08T07:30", "2026-03-08T10:00", "2026-03-09T06:30"]
        ),
        Night(
            zone: berlin,
            after: "02:15",
            until: "02:45",
            from: "2026-03-29T00:00",
            changes: ["2026-03-29T01:15", "2026-03-29T01:45", "2026-03-30T00:15"]
        ),
        // Only the beginning is skipped, to behind the end: no window on that day.
        Night(
            zone: berlin,
            after: "02:30",
            until: "03:15",
            from: "2026-03-29T00:00",
            changes: ["2026-03-30T00:30", "2026-03-30T01:15"]
        ),
        // A wall time that exists twice is the first.
        Night(
            zone: berlin,
            after: "22:00",
            until: "02:30",
            from: "2026-10-24T12:00",
            changes: ["2026-10-24T20:00", "2026-10-25T00:30", "2026-10-25T21:00"]
        ),
        Night(
            zone: newYork,
            after: "01:30",
            until: "06:00",
            from: "2026-11-01T04:00",
            changes: ["2026-11-01T05:30", "2026-11-01T11:00", "2026-11-02T06:30"]
        ),
        Night(
            zone: berlin,
            after: "02:15",
            until: "02:45",
            from: "2026-10-25T00:00",
            changes: ["2026-10-25T00:15", "2026-10-25T00:45", "2026-10-26T01:15"]
        ),
        // The day is that on which the window opens: Friday's ends on Saturday.
        Night(
            zone: berlin,
            after: "22:00",
            until: "06:00",
            days: "mon-fri",
            from: "2026-11-27T12:00",
            changes: ["2026-11-27T21:00", "2026-11-28T05:00", "2026-11-30T21:00", "2026-12-01T05:00"]
        ),
        // Whole days that touch are one window; in the spring the weekend has 47 hours.
        Night(
            zone: berlin,
            after: "00:00",
            until: "00:00",
            days: "sat-sun",
            from: "2026-03-27T12:00",
            changes: ["2026-03-27T23:00", "2026-03-29T22:00", "2026-04-03T22:00"]
        ),
    ])
    func itOpensAndClosesByTheWall(night: Night) throws {
        let calendar = try Self.calendar(night.zone, night.after, night.until, night.days)
        var now = try Self.time(night.from)
        #expect(!calendar.isOpen(at: now))
        var isOpen = false
        for text in night.changes {
            now = calendar.nextChange(after: now)
            isOpen.toggle()
            #expect(now == (try Self.time(text)), "\(now.date) instead of \(text)")
            #expect(calendar.isOpen(at: now) == isOpen)
            #expect(calendar.isOpen(at: now.adding(milliseconds: -1)) != isOpen, "the end is exclusive")
        }
    }

    /// Two years of changes, in zones with rules of their own: between two of them nothing changes, and the wall shows
    /// the window's times, but where it skips them.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu", "UTC",
        "Pacific/Chatham", "Africa/Casablanca",
    ])
    func nothingChangesBetweenTwoChanges(zone: String) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2 {
            let opens = WallTime(minutes: Int.random(in: 0..<1440, using: &generator))
            let closes = WallTime(minutes: opens.minutes + Int.random(in: 90..<1300, using: &generator))
            let calendar = try Self.calendar(zone, opens.description, closes.description)
            var now = try Self.time("2025-12-20T11:11")
            let end = try Self.time("2027-12-20T11:11")
            var (skipped, count) = (0, 0)
            while now < end {
                let isOpen = calendar.isOpen(at: now)
                let next = calendar.nextChange(after: now)
                for place in [1, 4, 7] as [Int64] {
                    let between = now.adding(milliseconds: next.milliseconds(since: now) * place / 8)
                    #expect(calendar.isOpen(at: between) == isOpen)
                    #expect(calendar.nextChange(after: between) == next)
                }
                #expect(calendar.isOpen(at: next) != isOpen)
                if calendar.wall(at: next).time != (isOpen ? closes : opens) { skipped += 1 }
                count += 1
                now = next
            }
            #expect(count > 1400 && skipped <= 8, "\(count) changes, of which \(skipped) at other times")
        }
    }
}
