public import CompositionModel
public import WireProtocol

/// What happens to a worker.
public enum WorkerEvent: Sendable, Hashable {
    /// ``WorkerMachine/wakeAt`` has come. Too early or too often does no harm.
    case tick
    case registered(WorkerRegistered)
    /// No answer. (A refusal, such as other library versions, is final: say so and exit.)
    case registrationUnreachable
    /// The coordinator does not know this worker (404 `unknown_worker` to anything).
    case unknownWorker(WorkerID)
    /// The poll's answer; often without grants.
    case granted(PollID, [LeaseGrant])
    case pollUnreachable(PollID)
    case heartbeatReplied(HeartbeatReply)
    case heartbeatUnreachable
    case progressed(AttemptID, permille: Int)
    /// The child is done; its file is complete and hashed.
    case childFinished(AttemptID, RenderedArtifact)
    case childFailed(AttemptID, Failure)
    /// The artifact store has it, for good.
    case uploadFinished(AttemptID)
    case uploadUnreachable(AttemptID)
    /// The artifact store found other bytes than announced, or has no room.
    case uploadRefused(AttemptID, Failure)
    case completionReplied(AttemptID, CompletionOutcome)
    case completionUnreachable(AttemptID)
    /// The coordinator does not have the artifact as announced: it is uploaded again, whatever lies there.
    case completionRefused(AttemptID, Failure)
    /// Recorded or lost: either way it is over.
    case failureReplied(AttemptID)
    case failureUnreachable(AttemptID)
    case releaseReplied
    case releaseUnreachable
    /// Finish what is in hand, take nothing new, then leave; at once when no coordinator knows this worker. Also comes
    /// with a heartbeat's reply.
    case drainRequested
    /// SIGTERM: hand everything back at once and leave.
    case stopRequested
}

/// What a render child made.
public struct RenderedArtifact: Sendable, Hashable {
    public var digest: ContentDigest
    public var byteCount: Int64
    /// Frames or samples.
    public var unitCount: Int64
    public var statistics: TaskStatistics

    public init(digest: ContentDigest, byteCount: Int64, unitCount: Int64, statistics: TaskStatistics) {
        self.digest = digest
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
    }

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
