package import CompositionModel
import Planning

/// The cost of one attempt at a task, and warnings about its sources.
package struct TaskStatistics: Sendable, Hashable, Codable {
    /// The elapsed time in milliseconds.
    package var wallMilliseconds: Int64
    /// The processor time in milliseconds, summed over all cores.
    package var cpuMilliseconds: Int64
    /// The largest resident memory of the render child, in bytes.
    package var peakMemoryBytes: Int64
    /// The bytes of sources that moved over the network for this task.
    package var fetchedBytes: Int64
    /// What computed with vectors of the processor in the render child, of `glibc`, `kernels`, `libav` and `x264`, in
    /// this order; empty with `CUTFARM_CPU=plain`. Nil where no child told, such as in statistics of earlier versions.
    package var vectors: [String]?
    /// All that may be in ``vectors``.
    package static let vectorCode = ["glibc", "kernels", "libav", "x264"]
    /// What is wrong with the sources although the task succeeded: each asset once, named as in ``Failure``. Nil when
    /// nothing is wrong.
    package private(set) var warnings: [Failure]?

    package init(
        wallMilliseconds: Int64 = 0,
        cpuMilliseconds: Int64 = 0,
        peakMemoryBytes: Int64 = 0,
        fetchedBytes: Int64 = 0
    ) {
        self.wallMilliseconds = wallMilliseconds
        self.cpuMilliseconds = cpuMilliseconds
        self.peakMemoryBytes = peakMemoryBytes
        self.fetchedBytes = fetchedBytes
    }

    /// The largest number that a task may come to: 34 years in milliseconds, 1.1 TB in bytes. Eight million of them add up
    /// within Int64.
    package static let largest: Int64 = 1 << 40

    /// Whether all numbers are such as a task may come to: from 0 to ``largest``.
    package var isPossible: Bool {
        [wallMilliseconds, cpuMilliseconds, peakMemoryBytes, fetchedBytes].allSatisfy {
            (0...Self.largest).contains($0)
        }
    }

    /// The most warnings accepted from a child.
    private static let mostWarnings = 64

    /// Adds a warning; ignored when there are 64 already.
    package mutating func add(warning: Failure) {
        guard (warnings ?? []).count < TaskStatistics.mostWarnings else { return }
        warnings = (warnings ?? []) + [warning]
    }

    /// Replaces each warning by the result of `change`, such as one that names the asset as the edit does.
    package mutating func changeWarnings(_ change: (Failure) -> Failure) { warnings = warnings?.map(change) }
}
