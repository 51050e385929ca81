public import Foundation

/// An instant of the farm: whole milliseconds since 1970 by the database's clock, cut off and not rounded.
/// No other clock is ever compared with it.
public struct FarmTime: Sendable, Hashable, Comparable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: FarmTime, right: FarmTime) -> Bool { left.milliseconds < right.milliseconds }

    /// `milliseconds` later (earlier when negative).
    public func adding(milliseconds: Int64) -> FarmTime {
        FarmTime(milliseconds: self.milliseconds + milliseconds)
    }

    /// Milliseconds from `earlier` to this; negative when it is later.
    public func milliseconds(since earlier: FarmTime) -> Int64 { milliseconds - earlier.milliseconds }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension FarmTime: CustomStringConvertible {
    public var description: String { "\(milliseconds) ms" }
}
