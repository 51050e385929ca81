public import CompositionModel
public import WireProtocol

/// The row of an attempt with its lease. Attempts are kept; a store holds `until` and `deadline` of live ones in the
/// small lease table.
public struct AttemptRecord: Sendable, Hashable {
    /// The identifier, which is also the fencing token.
    public var id: AttemptID
    /// The task that is tried.
    public var task: TaskID
    /// The job of the task.
    public var job: JobID
    /// The worker that holds, or held, the lease.
    public var worker: WorkerID
    /// The worker's name at the time of the grant.
    public var workerName: String
    /// The poll that was granted the attempt: the same poll sent again gets it again.
    public var poll: PollID
    /// The state; only a live attempt may complete, fail or release its task.
    public var state: AttemptView.State
    /// The time of the grant.
    public var started: FarmTime
    /// The end of the lease. It has no meaning once the attempt is not live.
    public var until: FarmTime
    /// The absolute end, past which no renewal reaches.
    public var deadline: FarmTime
    /// The progress as last reported, 0 … 1000.
    public var permille: Int
    /// The time when the attempt ceased to be live; nil while it is.
    public var ended: FarmTime?
    /// The reason why the attempt failed, or was superseded after an expiry; else nil.
    public var failure: Failure?

    /// Makes a row of the given values; a new attempt is live and has no progress.
    public init(
        id: AttemptID,
        task: TaskID,
        job: JobID,
        worker: WorkerID,
        workerName: String,
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
