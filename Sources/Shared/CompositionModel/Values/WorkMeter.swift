import Synchronization

/// Counts the steps of reading, compiling and planning: one for each piece, knot, frame of changing speed, layer or border that
/// is computed, and for each kilobyte of a finding or of names that are compared. What a text may cost is stated in steps,
/// which are the same on every machine; seconds are not.
///
/// Loops whose length the input decides call ``step(_:)``, which is also where a computation learns that nobody waits for
/// its result any more.
package final class WorkMeter: Sendable {
    /// The meter of the computation that runs in this task; nil where nobody counts.
    @TaskLocal package static var current: WorkMeter?

    private let counted = Atomic<Int>(0)

    package init() {}

    /// The steps that were counted so far.
    package var steps: Int { counted.load(ordering: .relaxed) }

    /// Counts steps.
    /// - Returns: false when the task is cancelled: the caller ends with whatever it has, and nobody uses that.
    package static func step(_ count: Int = 1) -> Bool {
        current?.counted.add(count, ordering: .relaxed)
        return !Task.isCancelled
    }
}
