package import CompositionModel
import Planning

/// The body of `POST /v1/attempts/{id}/complete`, sent after the artifact was uploaded. The answer is 200 with a
/// ``CompletionReply``, or 409 `lease_lost`.
package struct TaskCompletion: Sendable, Hashable, Codable {
    /// The worker that did the task.
    package var worker: WorkerID
    /// The SHA-256 of the artifact.
    package var artifact: ContentDigest
    /// The artifact's length in bytes.
    package var byteCount: Int64
    /// The number of frames, samples per channel, or stills in the artifact.
    package var unitCount: Int64
    /// The cost of the attempt.
    package var statistics: TaskStatistics

    package init(
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

/// The answer to a ``TaskCompletion``.
package struct CompletionReply: Sendable, Hashable, Codable {
    /// The outcome of a completion.
    package enum Outcome: String, Sendable, Hashable, Codable {
        /// The artifact is the task's result.
        case accepted
        /// The same digest was accepted earlier, and the first reply was lost.
        case alreadyDone
    }

    /// Whether this request or an earlier one completed the task.
    package var outcome: Outcome

    package init(outcome: Outcome) { self.outcome = outcome }
}

/// The body of `POST /v1/attempts/{id}/fail`. The answer is 204, or 409 `lease_lost`.
package struct TaskFailure: Sendable, Hashable, Codable {
    /// The worker whose attempt failed.
    package var worker: WorkerID
    /// Why the attempt failed, and whether another attempt can succeed.
    package var failure: Failure

    package init(worker: WorkerID, failure: Failure) {
        self.worker = worker
        self.failure = failure
    }
}
