package import Foundation

/// An instant as RFC 3339 writes it, or a wall time that leaves the offset out; seconds may be left out too.
///
///     2026-12-01T06:00:00Z    2026-12-01T06:00+01:00    2026-12-01T06:00
package struct WrittenInstant: Sendable, Hashable {
    /// The seconds from 1970-01-01 00:00 to what a clock on the wall shows.
    package let wallSeconds: Int64
    /// The seconds by which that wall is ahead of UTC; nil where the text does not say.
    package let offsetSeconds: Int64?

    /// Reads a text.
    /// - Returns: nil for anything else, and for days and times that no calendar and no clock has. Fractions of a second
    ///   are dropped.
    package init?(_ text: String) {
        let date = /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:([Zz])|([+-])(\d\d):(\d\d))?/
        let form = date.asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form)?.output,
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let hour = Int(match.4), let minute = Int(match.5)
        else { return nil }
        let second = match.6.flatMap { Int($0) } ?? 0
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = DateComponents(calendar: calendar, year: year, month: month, day: day)
        guard parts.isValidDate, let midnight = parts.date, hour < 24, minute < 60, second < 60 else { return nil }
        wallSeconds = Int64(midnight.timeIntervalSince1970) + Int64(3600 * hour + 60 * minute + second)
        guard match.7 == nil else {
            offsetSeconds = 0
            return
        }
        guard let sign = match.8, let hours = match.9, let minutes = match.10 else {
            offsetSeconds = nil
            return
        }
        guard let hours = Int64(hours), let minutes = Int64(minutes), hours < 24, minutes < 60 else { return nil }
        offsetSeconds = (sign == "-" ? -1 : 1) * (3600 * hours + 60 * minutes)
    }

    /// The instant; nil where the text names no offset.
    package var date: Date? { offsetSeconds.map { Date(timeIntervalSince1970: Double(wallSeconds - $0)) } }
}
