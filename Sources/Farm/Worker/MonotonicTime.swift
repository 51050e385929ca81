/// An instant of one process's monotonic clock, in whole milliseconds from any origin. Never compared across processes,
/// never sent to anyone.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.milliseconds < right.milliseconds }

    public func adding(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(milliseconds: self.milliseconds + milliseconds)
    }

    public func milliseconds(since earlier: MonotonicTime) -> Int64 { milliseconds - earlier.milliseconds }
}
