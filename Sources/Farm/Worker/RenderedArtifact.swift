public import CompositionModel
public import WireProtocol

/// The file that a render child made.
public struct RenderedArtifact: Sendable, Hashable {
    /// The SHA-256 of the file.
    public var digest: ContentDigest
    /// The length of the file in bytes.
    public var byteCount: Int64
    /// The number of frames or samples in the file.
    public var unitCount: Int64
    /// The cost of making it.
    public var statistics: TaskStatistics

    /// Describes a file.
    public init(digest: ContentDigest, byteCount: Int64, unitCount: Int64, statistics: TaskStatistics) {
        self.digest = digest
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
    }

    /// The report by which `worker` completes the task.
    func completion(by worker: WorkerID) -> TaskCompletion {
        TaskCompletion(
            worker: worker,
            artifact: digest,
            byteCount: byteCount,
            unitCount: unitCount,
            statistics: statistics
        )
    }
}
