package import CompositionModel
package import WireProtocol

/// The file that a render child made.
package struct RenderedArtifact: Sendable, Hashable {
    /// The SHA-256 of the file.
    package var digest: ContentDigest
    /// The length of the file in bytes.
    package var byteCount: Int64
    /// The number of frames or samples in the file.
    package var unitCount: Int64
    /// The cost of making it.
    package var statistics: TaskStatistics

    /// Describes a file.
    package init(digest: ContentDigest, byteCount: Int64, unitCount: Int64, statistics: TaskStatistics) {
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
