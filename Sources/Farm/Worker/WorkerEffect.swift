package import WireProtocol

/// The effects that a driver carries out. Each effect but `discard` and `exit` is answered by exactly one event
/// (`startTask` after any number of `progressed`), which the driver makes sure of by time limits; answers about a
/// discarded attempt are ignored.
package enum WorkerEffect: Sendable, Hashable {
    /// Register. Answers: `registered`, `registrationUnreachable`.
    case register
    /// Ask for up to `capacity` tasks. Answers: `granted`, `pollUnreachable`, `unknownWorker`.
    case poll(worker: WorkerID, poll: PollID, capacity: Int)
    /// Renew the leases, within half a lease. Answers: `heartbeatReplied`, `heartbeatUnreachable`, `unknownWorker`.
    case sendHeartbeat(WorkerID, Heartbeat)
    /// Fetch what the task needs and start a child. Answers: any number of `progressed`, then `childFinished` or
    /// `childFailed`, unless `discard` comes first.
    case startTask(LeaseGrant)
    /// Upload the child's file; forced also when the coordinator says that it has it, since what it has is not as
    /// announced. Answers: `uploadFinished`, `uploadUnreachable`, `uploadRefused`.
    case upload(AttemptID, RenderedArtifact, isForced: Bool = false)
    /// Report the artifact. Answers: `completionReplied`, `completionUnreachable`, `completionRefused`,
    /// `unknownWorker`.
    case sendComplete(AttemptID, TaskCompletion)
    /// Report the failure. Answers: `failureReplied`, `failureUnreachable`, `unknownWorker`.
    case sendFail(AttemptID, TaskFailure)
    /// Hand leases back, or say goodbye. Answers: `releaseReplied`, `releaseUnreachable`.
    case sendRelease(WorkerID, LeaseRelease)
    /// Kill what still runs for the attempt (child, download, upload) and delete its files. What it still sends is
    /// ignored.
    case discard(AttemptID)
    /// The last effect: end the process with status 0.
    case exit
}
