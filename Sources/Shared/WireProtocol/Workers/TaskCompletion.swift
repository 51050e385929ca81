public import CompositionModel
import Planning

/// `POST /v1/attempts/{id}/complete`, after the artifact was uploaded → 200 ``CompletionReply``, or 409 `lease_lost`.
public struct TaskCompletion: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var artifact: ContentDigest
    public var byteCount: Int64
    /// Frames or samples in the artifact.
    public var unitCount: Int64
    public var statistics: TaskStatistics

    public init(
        worker: WorkerID,
        artifact: ContentDigest,
        byteCount: Int64,
        unitCount: Int64,
        statistics: TaskStatistics
    ) {
        self.worker = worker
        self.artifact = artifact
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
    }
}

public struct CompletionReply: Sendable, Hashable, Codable {
    public enum Outcome: String, Sendable, Hashable, Codable {
        case accepted
        /// The same digest was accepted before: the first reply was lost.
        case alreadyDone
    }

    public var outcome: Outcome

    public init(outcome: Outcome) { self.outcome = outcome }
}

/// `POST /v1/attempts/{id}/fail` → 204, or 409 `lease_lost`.
public struct TaskFailure: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var failure: Failure

    public init(worker: WorkerID, failure: Failure) {
        self.worker = worker
        self.failure = failure
    }
}
