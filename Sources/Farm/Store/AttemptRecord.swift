public import CompositionModel
public import WireProtocol

/// The row of an attempt with its lease. Attempts are kept; a store holds `until` and `deadline` of live ones in the
/// small lease table.
public struct AttemptRecord: Sendable, Hashable {
    public var id: AttemptID
    public var task: TaskID
    public var job: JobID
    public var worker: WorkerID
    public var workerName: String
    /// The poll that it was granted to: the same poll again gets it again.
    public var poll: PollID
    public var state: AttemptView.State
    public var started: FarmTime
    /// End of the lease; of no meaning once the attempt is not live.
    public var until: FarmTime
    /// No renewal reaches past it.
    public var deadline: FarmTime
    /// 0 … 1000, as last reported.
    public var permille: Int
    public var ended: FarmTime?
    /// Why it ended, when failed or superseded after an expiry.
    public var failure: Failure?

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
