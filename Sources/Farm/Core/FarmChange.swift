package import WireProtocol

/// One thing that a store must write after a decision, in the same transaction, in the order given.
package enum FarmChange: Sendable, Hashable {
    /// A new live attempt: its row and its lease.
    case insertAttempt(AttemptRecord)
    /// It is no longer live: state, ended, failure; its lease row goes.
    case endAttempt(AttemptRecord)
    /// A delivered or accepted attempt has failed after all: state, ended, failure. It has no lease.
    case rejectAttempt(AttemptRecord)
    /// State, notBefore, failure, artifact, byteCount, unitCount, statistics, isTaken, claims.
    case updateTask(TaskRecord)
    /// Stores the part (``PartRecord/init(_:versions:by:at:)``) of a task that an attempt completed, for the versions of
    /// the task's job, unless there is one. Nothing is stored for a job that names no versions.
    case keepPart(TaskRecord, by: AttemptRecord)
    /// State, failure, finished, remaining, openStage, artifact, byteCount, priority, isPaused, awaitedJobs,
    /// isOutsideWindow, windowChange, isLateTold, delivery, audit.
    case updateJob(JobRecord)
    /// Every failed or cancelled task of the job becomes queued, due and counted from the decision's time, in the order of
    /// positions, each with an event `queued`; their claims go.
    case retryTasks(JobID)
    /// Every queued or leased task of the job becomes cancelled, in the order of positions, each with an event
    /// `cancelled`; their live attempts become cancelled, ended at the decision's time, and their lease rows go.
    case cancelOpenTasks(JobID)
    /// Every leased task of the job in a later stage, unless it is independent, becomes queued and is due at once, in
    /// the order of positions, each with an event `queued`; their live attempts become released, ended at the decision's
    /// time, and their lease rows go. The claims of these tasks and of queued ones in these stages go too, without an
    /// event.
    case withdrawTasks(JobID, behind: Int)
    /// Adds 1 to the worker's `provenFailures`.
    case countProvenFailure(WorkerID)
    /// Puts the workers of a name, and those of the machine, on the blocklist as faulty, since the decision's time and for this
    /// reason, unless they are on it; either way what they made is to be withdrawn.
    case convict(String, machine: String?, reason: String)
    /// Appends an event with the next sequence, at the decision's time.
    case event(JobID, TaskID?, state: String)
}
