/// Frames that were rendered between two times, by one attempt or by several that began and ended nearly together.
package struct RenderedSpan: Sendable, Hashable, Comparable {
    /// The number of equal steps into which the times of a job's completed attempts are rounded down: however many attempts
    /// a job has, its spans are few.
    package static let steps: Int64 = 480

    /// The beginning of the attempts.
    package let started: FarmTime
    /// The end of the attempts; of one under way the time when the store was asked.
    package let ended: FarmTime
    /// The frames, in thousandths: of an attempt under way those that it has reported.
    package let frameThousandths: Int64

    package init(started: FarmTime, ended: FarmTime, frameThousandths: Int64) {
        (self.started, self.ended, self.frameThousandths) = (started, ended, frameThousandths)
    }

    package static func < (left: RenderedSpan, right: RenderedSpan) -> Bool {
        (left.started, left.ended, left.frameThousandths) < (right.started, right.ended, right.frameThousandths)
    }
}
