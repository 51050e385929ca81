public import CompositionModel
import Planning

public struct TaskStatistics: Sendable, Hashable, Codable {
    public var wallMilliseconds: Int64
    public var cpuMilliseconds: Int64
    public var peakMemoryBytes: Int64
    /// Bytes of sources that moved over the network for this task.
    public var fetchedBytes: Int64
    /// What is wrong with the sources although the task could be done: each asset once, named as in ``Failure``. Nil
    /// for nothing.
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

    /// No child is listened to for longer.
    private static let mostWarnings = 64

    public mutating func add(warning: Failure) {
        guard (warnings ?? []).count < TaskStatistics.mostWarnings else { return }
        warnings = (warnings ?? []) + [warning]
    }

    public mutating func changeWarnings(_ change: (Failure) -> Failure) { warnings = warnings?.map(change) }
}
