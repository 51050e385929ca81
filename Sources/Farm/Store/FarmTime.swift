package import Foundation

/// An instant of the farm: whole milliseconds since 1970 by the database's clock, rounded down. No other clock is ever
/// compared with it.
package struct FarmTime: Sendable, Hashable, Comparable, Codable {
    /// The milliseconds since 1970.
    package var milliseconds: Int64

    /// Makes an instant from milliseconds since 1970.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The instant of a date, rounded down.
    package init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }

    /// Whether `left` is earlier.
    package static func < (left: FarmTime, right: FarmTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant `milliseconds` later, or earlier when negative.
    package func adding(milliseconds: Int64) -> FarmTime {
        FarmTime(milliseconds: self.milliseconds + milliseconds)
    }

    /// The milliseconds from `earlier` to this instant; negative when `earlier` is later.
    package func milliseconds(since earlier: FarmTime) -> Int64 { milliseconds - earlier.milliseconds }

    /// The instant as a date.
    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension FarmTime: CustomStringConvertible {
    /// The milliseconds with their unit.
    package var description: String { "\(milliseconds) ms" }
}
