package import CompositionModel
package import WireProtocol

/// The events of a worker's life.
package enum WorkerEvent: Sendable, Hashable {
    /// The time ``WorkerMachine/wakeAt`` has come. Too early or too often does no harm.
    case tick
    /// The coordinator knows this worker now.
    case registered(WorkerRegistered)
    /// The registration had no answer. (A refusal, such as other library versions, is final: the driver says so and
    /// exits.)
    case registrationUnreachable
    /// The coordinator does not know this worker (404 `unknown_worker` to anything).
    case unknownWorker(WorkerID)
    /// The poll's answer, often without grants.
    case granted(PollID, [LeaseGrant])
    /// The poll had no answer.
    case pollUnreachable(PollID)
    /// The heartbeat's answer.
    case heartbeatReplied(HeartbeatReply)
    /// The heartbeat had no answer.
    case heartbeatUnreachable
    /// A child reported its progress, 0 … 1000.
    case progressed(AttemptID, permille: Int)
    /// A child is done; its file is complete and hashed.
    case childFinished(AttemptID, RenderedArtifact)
    /// A child failed, or could not be started.
    case childFailed(AttemptID, Failure)
    /// The artifact store has the file, for good.
    case uploadFinished(AttemptID)
    /// The upload had no answer.
    case uploadUnreachable(AttemptID)
    /// The artifact store found other bytes than announced, or has no room.
    case uploadRefused(AttemptID, Failure)
    /// The completion's answer.
    case completionReplied(AttemptID, CompletionOutcome)
    /// The completion had no answer.
    case completionUnreachable(AttemptID)
    /// The coordinator does not have the artifact as announced: it is uploaded again, whatever lies there.
    case completionRefused(AttemptID, Failure)
    /// The failure was recorded, or the lease was lost: either way the attempt is over.
    case failureReplied(AttemptID)
    /// The report of the failure had no answer.
    case failureUnreachable(AttemptID)
    /// The coordinator heard the goodbye.
    case releaseReplied
    /// The goodbye had no answer.
    case releaseUnreachable
    /// The worker is to finish what is in hand, take nothing new, then leave; at once when no coordinator knows it. The
    /// event also comes with a heartbeat's reply.
    case drainRequested
    /// SIGTERM: the worker hands everything back at once and leaves.
    case stopRequested
}
