public import CompositionModel
import Planning

/// The cost of one attempt at a task, and warnings about its sources.
public struct TaskStatistics: Sendable, Hashable, Codable {
    /// The elapsed time in milliseconds.
    public var wallMilliseconds: Int64
    /// The processor time in milliseconds, summed over all cores.
    public var cpuMilliseconds: Int64
    /// The largest resident memory of the render child, in bytes.
    public var peakMemoryBytes: Int64
    /// The bytes of sources that moved over the network for this task.
    public var fetchedBytes: Int64
    /// What is wrong with the sources although the task succeeded: each asset once, named as in ``Failure``. Nil when
    /// nothing is wrong.
    public private(set) var warnings: [Failure]?

    public init(
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

    /// The most warnings accepted from a child.
    private static let mostWarnings = 64

    /// Adds a warning; ignored when there are 64 already.
    public mutating func add(warning: Failure) {
        guard (warnings ?? []).count < TaskStatistics.mostWarnings else { return }
        warnings = (warnings ?? []) + [warning]
    }

    /// Replaces each warning by the result of `change`, such as one that names the asset as the edit does.
    public mutating func changeWarnings(_ change: (Failure) -> Failure) { warnings = warnings?.map(change) }
}
