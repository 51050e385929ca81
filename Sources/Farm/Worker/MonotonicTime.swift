/// An instant of one process's monotonic clock, in whole milliseconds from any origin. It is never compared across
/// processes, and never sent to anyone.
package struct MonotonicTime: Sendable, Hashable, Comparable {
    /// The milliseconds since the origin.
    package var milliseconds: Int64

    /// Makes an instant from milliseconds since the origin.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whether `left` is earlier.
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant `milliseconds` later, or earlier when negative.
    package func adding(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(milliseconds: self.milliseconds + milliseconds)
    }

    /// The milliseconds from `earlier` to this instant; negative when `earlier` is later.
    package func milliseconds(since earlier: MonotonicTime) -> Int64 { milliseconds - earlier.milliseconds }
}
