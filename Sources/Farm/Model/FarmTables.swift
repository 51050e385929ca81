import CompositionModel
public import WireProtocol

/// The farm's tables in memory, with every operation of ``FarmStore`` as a plain function of the time. Deterministic:
/// equal operations give equal tables. ``ModelFarmStore`` puts it behind the protocol, the simulator uses it bare.
public struct FarmTables: Sendable {
    struct JobRow: Sendable {
        var record: JobRecord
        let documents: JobDocuments
        /// Positions in `tasks`, in the order of task positions.
        let tasks: Range<Int>
    }

    struct TaskRow: Sendable {
        var record: TaskRecord
        let payload: TaskPayload
        /// In the order of their grants.
        var attempts: [AttemptRecord] = []
    }

    public let policy: FarmPolicy
    let identifiers: IdentifierSource
    // Rows in the order of insertion; the dictionaries only find, nothing walks through them.
    var jobs: [JobRow] = []
    var tasks: [TaskRow] = []
    var workers: [WorkerRecord] = []
    public internal(set) var events: [JobEvent] = []
    /// Of the last event there ever was.
    var lastSequence: Int64 = 0
    var forgotten: Set<JobID> = []
    var jobIndex: [JobID: Int] = [:]
    var taskIndex: [TaskID: Int] = [:]
    var workerIndex: [WorkerID: Int] = [:]
    /// Attempt → position of its task.
    var attemptIndex: [AttemptID: Int] = [:]
    var polls: [PollID: [AttemptID]] = [:]
    var assets: [ContentDigest: StoredAsset] = [:]
    var sweptAt: FarmTime?

    public init(policy: FarmPolicy, identifiers: IdentifierSource) {
        self.policy = policy
        self.identifiers = identifiers
    }

    /// Writes what a decision asked for, at `now`.
    mutating func write(_ changes: [FarmChange], at now: FarmTime) {
        for change in changes { write(change, at: now) }
    }

    private mutating func write(_ change: FarmChange, at now: FarmTime) {
        switch change {
        case .insertAttempt(let attempt): insert(attempt)
        case .endAttempt(let attempt): replace(attempt)
        case .updateTask(let task): if let index = taskIndex[task.id] { tasks[index].record = task }
        case .updateJob(let job): if let index = jobIndex[job.id] { jobs[index].record = job }
        case .cancelOpenTasks(let job): cancelOpenTasks(of: job, at: now)
        case .countProvenFailure(let worker): if let index = workerIndex[worker] { workers[index].provenFailures += 1 }
        case .event(let job, let task, let state): append(job, task, state, now)
        }
    }

    private mutating func insert(_ attempt: AttemptRecord) {
        guard let index = taskIndex[attempt.task] else { return }
        tasks[index].attempts.append(attempt)
        attemptIndex[attempt.id] = index
        polls[attempt.poll, default: []].append(attempt.id)
    }

    mutating func replace(_ attempt: AttemptRecord) {
        guard let index = taskIndex[attempt.task],
            let place = tasks[index].attempts.firstIndex(where: { $0.id == attempt.id })
        else { return }
        tasks[index].attempts[place] = attempt
    }

    private mutating func cancelOpenTasks(of job: JobID, at now: FarmTime) {
        guard let row = jobIndex[job] else { return }
        for index in jobs[row].tasks where !tasks[index].record.state.isFinal {
            var machine = TaskMachine(task: tasks[index].record, attempts: tasks[index].attempts, policy: policy)
            _ = machine.cancel(at: now)
            tasks[index].record = machine.task
            tasks[index].attempts = machine.attempts
            append(job, machine.task.id, machine.task.state.rawValue, now)
        }
    }

    private mutating func append(_ job: JobID, _ task: TaskID?, _ state: String, _ now: FarmTime) {
        lastSequence += 1
        events.append(JobEvent(sequence: lastSequence, job: job, task: task, state: state, at: now.date))
    }
}
