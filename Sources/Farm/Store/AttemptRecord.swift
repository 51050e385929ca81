package import CompositionModel
package import WireProtocol

/// The row of an attempt with its lease. Attempts are kept; a store holds `until` and `deadline` of live ones in the
/// small lease table.
package struct AttemptRecord: Sendable, Hashable {
    /// The identifier, which is also the fencing token.
    package var id: AttemptID
    /// The task that is tried.
    package var task: TaskID
    /// The job of the task.
    package var job: JobID
    /// The worker that holds, or held, the lease.
    package var worker: WorkerID
    /// The worker's name at the time of the grant.
    package var workerName: String
    /// The name of the machine that the worker ran on; nil when it is not known.
    package var machine: String?
    /// The poll that was granted the attempt: the same poll sent again gets it again.
    package var poll: PollID
    /// The state; only a live attempt may complete, fail or release its task.
    package var state: AttemptView.State
    /// The time of the grant.
    package var started: FarmTime
    /// The end of the lease. It has no meaning once the attempt is not live.
    package var until: FarmTime
    /// The absolute end, past which no renewal reaches.
    package var deadline: FarmTime
    /// The progress as last reported, 0 … 1000.
    package var permille: Int
    /// The time when the attempt ceased to be live; nil while it is.
    package var ended: FarmTime?
    /// The reason why the attempt failed, or was superseded after an expiry; else nil.
    package var failure: Failure?

    /// Makes a row of the given values; a new attempt is live and has no progress.
    package init(
        id: AttemptID,
        task: TaskID,
        job: JobID,
        worker: WorkerID,
        workerName: String,
        machine: String? = nil,
        poll: PollID,
        state: AttemptView.State = .live,
        started: FarmTime,
        until: FarmTime,
        deadline: FarmTime,
        permille: Int = 0,
        ended: FarmTime? = nil,
        failure: Failure? = nil
    ) {
        self.id = id
        self.task = task
        self.job = job
        self.worker = worker
        self.workerName = workerName
        self.machine = machine
        self.poll = poll
        self.state = state
        self.started = started
        self.until = until
        self.deadline = deadline
        self.permille = permille
        self.ended = ended
        self.failure = failure
    }
}
