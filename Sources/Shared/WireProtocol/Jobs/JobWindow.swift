import Foundation

/// The hours in which work of a job may begin, by the clocks on the walls of a time zone.
///
///     after 22:00, until 06:00, days fri–sat
///
///     Fri          Sat          Sun
///     ──────────██████───────██████────────
///             22:00 06:00  22:00 06:00
package struct JobWindow: Sendable, Hashable, Codable {
    /// The wall time at which the window opens.
    package var after: WallTime
    /// The wall time at which it closes: on the same day where it is later than ``after``, else on the day after.
    package var until: WallTime
    /// The days on which it opens; nil is every day.
    package var days: WeekdaySet?
    /// The name of the time zone in the IANA database, such as `Europe/Berlin`.
    package var timeZone: String

    package init(after: WallTime, until: WallTime, days: WeekdaySet? = nil, timeZone: String) {
        self.after = after
        self.until = until
        self.days = days
        self.timeZone = timeZone
    }

    /// What is wrong with the window, as a sentence; nil for one that opens and closes.
    package var problem: String? {
        guard TimeZone(identifier: timeZone) != nil else {
            return Self.unknownZone(timeZone)
        }
        guard after != until || days.map({ $0.days.count < Weekday.allCases.count }) == true else {
            return "A window from \(after) until \(until) on every day never closes; leave it out, or name its days."
        }
        return nil
    }

    /// The sentence about a time zone that is not known.
    package static func unknownZone(_ name: String) -> String {
        "The time zone “\(name.visible)” is not known; name one as Europe/Berlin or UTC."
    }

    /// The window for people, such as `22:00 to 06:00 on mon-fri, Europe/Berlin`.
    package var words: String { "\(after) to \(until)" + (days.map { " on \($0)" } ?? "") + ", \(timeZone.visible)" }
}

/// A time of day to the minute, as a clock on a wall shows it; in JSON a string such as `22:00`.
package struct WallTime: Sendable, Hashable, LosslessStringConvertible {
    /// The minutes since midnight on the wall, 0 … 1439.
    package let minutes: Int

    /// Reads `HH:MM`.
    /// - Returns: nil for anything but 00:00 … 23:59 with two digits each.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }),
            let hours = Int(text.prefix(2)), let minutes = Int(text.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        self.minutes = 60 * hours + minutes
    }

    /// The wall time so many minutes after midnight, counted round the clock.
    package init(minutes: Int) { self.minutes = ((minutes % 1440) + 1440) % 1440 }

    /// `HH:MM`.
    package var description: String {
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return (hours < 10 ? "0" : "") + "\(hours):" + (rest < 10 ? "0" : "") + "\(rest)"
    }
}

/// A day of the week; the raw value is its short name.
package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// The place in the week, 0 for Monday.
    package var index: Int { Weekday.allCases.firstIndex(of: self) ?? 0 }

    /// The name with a capital, such as `Monday`.
    package var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }
}

/// Days of the week; in JSON a string such as `mon-fri` or `mon,wed,sat-sun`.
package struct WeekdaySet: Sendable, Hashable, LosslessStringConvertible {
    /// The days, at least one.
    package let days: Set<Weekday>

    /// Reads days and ranges of days with commas between. A range may go over the end of the week: `fri-mon`.
    /// - Returns: nil for an empty text, and for words that name no day.
    package init?(_ text: String) {
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                Weekday(rawValue: $0.trimmingCharacters(in: .whitespaces))
            }
            guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil else {
                return nil
            }
            let length = (last.index - first.index + 7) % 7
            for step in 0...length { days.insert(Weekday.allCases[(first.index + step) % 7]) }
        }
        self.days = days
    }

    /// The days in the order of the week from Monday on, those that follow each other as a range.
    package var description: String {
        var ranges: [[Weekday]] = []
        for day in Weekday.allCases where days.contains(day) {
            if let last = ranges.last?.last, last.index + 1 == day.index {
                ranges[ranges.count - 1].append(day)
            } else {
                ranges.append([day])
            }
        }
        return ranges.map { range in
            let names = range.map(\.rawValue)
            return names.count < 3 ? names.joined(separator: ",") : "\(names[0])-\(names[names.count - 1])"
        }.joined(separator: ",")
    }
}

extension WallTime: Codable {
    /// - Throws: `DecodingError` for anything but a string as `22:00`.
    package init(from decoder: any Decoder) throws {
        self = try decoder.text(WallTime.init(_:), expecting: "a time of day from 00:00 to 23:59, such as 22:00")
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension WeekdaySet: Codable {
    /// - Throws: `DecodingError` for anything but a string as `mon-fri`.
    package init(from decoder: any Decoder) throws {
        self = try decoder.text(WeekdaySet.init(_:), expecting: "days of the week, such as mon-fri or sat,sun")
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
    /// Reads a string that stands for a value.
    /// - Throws: `DecodingError`, saying what was expected, when it does not.
    fileprivate func text<Value>(_ read: (String) -> Value?, expecting what: String) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = read(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "“\(text.visible)” is not \(what)"
            )
        }
        return value
    }
}
