public import WireProtocol

/// What a worker is to do. Each effect but `discard` and `exit` is answered by exactly one event (`startTask` after any
/// number of `progressed`), which the driver makes sure of by time limits; answers about a discarded attempt are
/// ignored.
public enum WorkerEffect: Sendable, Hashable {
    /// → `registered`, `registrationUnreachable`.
    case register
    /// → `granted`, `pollUnreachable`, `unknownWorker`.
    case poll(worker: WorkerID, poll: PollID, capacity: Int)
    /// → `heartbeatReplied`, `heartbeatUnreachable`, `unknownWorker`. Time limit: half a lease.
    case sendHeartbeat(WorkerID, Heartbeat)
    /// Fetch what the task needs and start a child. → any number of `progressed`, then `childFinished` or
    /// `childFailed`, unless `discard` comes first.
    case startTask(LeaseGrant)
    /// Upload the child's file; `isForced`: also when the coordinator says that it has it, since what it has is not as
    /// announced. → `uploadFinished`, `uploadUnreachable`, `uploadRefused`.
    case upload(AttemptID, RenderedArtifact, isForced: Bool = false)
    /// → `completionReplied`, `completionUnreachable`, `completionRefused`, `unknownWorker`.
    case sendComplete(AttemptID, TaskCompletion)
    /// → `failureReplied`, `failureUnreachable`, `unknownWorker`.
    case sendFail(AttemptID, TaskFailure)
    /// → `releaseReplied`, `releaseUnreachable`.
    case sendRelease(WorkerID, LeaseRelease)
    /// Kill what still runs for the attempt (child, download, upload) and delete its files. What it still sends is
    /// ignored.
    case discard(AttemptID)
    /// The last effect: end the process with status 0.
    case exit
}
