import CompositionModel
import Foundation
package import WireProtocol

/// The farm's tables in memory, with every operation of ``FarmStore`` as a plain function of the time.
///
/// They are deterministic: equal operations give equal tables. ``InMemoryFarmStore`` puts them behind the protocol, a
/// simulator of farms uses them as they are.
package struct FarmTables: Sendable {
    /// A job with what was submitted, and its tasks.
    package struct JobRow: Sendable {
        package var record: JobRecord
        let documents: [JobDocument: Data]
        /// The places of the tasks in ``FarmTables/tasks``, in the order in which a job's tasks are granted
        /// (``GrantCandidate/precedes(_:_:)``).
        let queue: [Int]
        /// The places of the tasks in ``FarmTables/tasks``, in the order of their positions.
        package let tasks: Range<Int>

        /// What the job takes in the store.
        var load: OwnerLoad {
            OwnerLoad(tasks: tasks.count, bytes: documents.values.reduce(0) { $0 + Int64($1.count) })
        }
    }

    /// A task with the work that it stands for, and its attempts.
    package struct TaskRow: Sendable {
        package var record: TaskRecord
        package let payload: TaskPayload
        /// The attempts, in the order of their grants.
        package var attempts: [AttemptRecord] = []
    }

    /// The numbers by which the farm decides.
    package let policy: FarmPolicy
    let identifiers: IdentifierSource
    // Rows are in the order of insertion; the dictionaries only find, nothing walks through them.
    package internal(set) var jobs: [JobRow] = []
    package internal(set) var tasks: [TaskRow] = []
    package internal(set) var workers: [WorkerRecord] = []
    /// The events that are not forgotten, oldest first.
    package internal(set) var events: [JobEvent] = []
    /// The sequence number of the last event there ever was; 0 before the first.
    var lastSequence: Int64 = 0
    var forgotten: Set<JobID> = []
    var jobIndex: [JobID: Int] = [:]
    var taskIndex: [TaskID: Int] = [:]
    var workerIndex: [WorkerID: Int] = [:]
    /// Attempt → place of its task in ``tasks``.
    var attemptIndex: [AttemptID: Int] = [:]
    var polls: [PollID: [AttemptID]] = [:]
    var assets: [ContentDigest: StoredAsset] = [:]
    var sources: [ContentDigest: SourceRecord] = [:]
    var parts: [PartName: PartRecord] = [:]
    /// The places of the leased tasks that make each part.
    var making: [PartName: Set<Int>] = [:]
    /// The jobs of which the tasks and documents are no longer kept, with their numbers at that time.
    var pruned: [JobID: (tasks: TaskCounts, permille: Int)] = [:]
    /// Ended sessions → when they would have ended by themselves.
    var endedSessions: [ContentDigest: FarmTime] = [:]
    /// What was said about attempts, with the time when it was last added to.
    var logs: [AttemptID: (log: StoredLog, written: FarmTime)] = [:]
    /// The blocklist, by name.
    var blocked: [String: BlockedWorker] = [:]
    /// What is being withdrawn of faulty workers, by their name.
    var withdrawing: [String: Set<ContentDigest>] = [:]
    var sweptAt: FarmTime?
    /// Whose turn it is to be granted a task.
    var turns = OwnerTurns()

    /// Makes empty tables.
    package init(policy: FarmPolicy, identifiers: IdentifierSource) {
        self.policy = policy
        self.identifiers = identifiers
    }

    /// The row of a task; nil for a task that is not known.
    package func row(_ task: TaskID) -> TaskRow? { taskIndex[task].map { tasks[$0] } }

    /// The record of a job; nil for a job that is not known.
    package func jobRecord(_ job: JobID) -> JobRecord? { jobIndex[job].map { jobs[$0].record } }

    /// Writes what a decision asked for, at `now`.
    mutating func write(_ changes: [FarmChange], at now: FarmTime) {
        for change in changes { write(change, at: now) }
    }

    private mutating func write(_ change: FarmChange, at now: FarmTime) {
        switch change {
        case .insertAttempt(let attempt): insert(attempt)
        case .endAttempt(let attempt), .rejectAttempt(let attempt):
            let before = self.attempt(attempt.id)?.state
            if let index = workerIndex[attempt.worker] { workers[index].count(attempt.state, before: before) }
            replace(attempt)
        case .updateTask(let task): if let index = taskIndex[task.id] { setRecord(task, at: index) }
        case .keepPart(let task, let attempt): keepPart(of: task, by: attempt, at: now)
        case .updateJob(let job): if let index = jobIndex[job.id] { jobs[index].record = job }
        case .cancelOpenTasks(let job): cancelOpenTasks(of: job, at: now)
        case .retryTasks(let job): retryTasks(of: job, at: now)
        case .withdrawTasks(let job, let stage): withdrawTasks(of: job, behind: stage, at: now)
        case .countProvenFailure(let worker): if let index = workerIndex[worker] { workers[index].provenFailures += 1 }
        case .convict(let name, let machine, let reason): convict(name, on: machine, because: reason, at: now)
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
            setRecord(machine.task, at: index)
            tasks[index].attempts = machine.attempts
            append(job, machine.task.id, machine.task.state.rawValue, now)
        }
    }

    private mutating func retryTasks(of job: JobID, at now: FarmTime) {
        guard let row = jobIndex[job] else { return }
        forgotten.remove(job)
        for index in jobs[row].tasks {
            var task = tasks[index].record
            guard [.failed, .cancelled].contains(task.state) else { continue }
            task.state = .queued
            task.failure = nil
            task.claims = []
            task.notBefore = now
            task.countedFrom = now
            setRecord(task, at: index)
            append(job, task.id, task.state.rawValue, now)
        }
    }

    private mutating func withdrawTasks(of job: JobID, behind stage: Int, at now: FarmTime) {
        guard let row = jobIndex[job] else { return }
        for index in jobs[row].tasks {
            let task = tasks[index].record
            guard !task.state.isFinal, task.stage > stage, !task.isIndependent else { continue }
            var machine = TaskMachine(task: task, attempts: tasks[index].attempts, policy: policy)
            machine.withdraw(at: now)
            setRecord(machine.task, at: index)
            tasks[index].attempts = machine.attempts
            if task.state == .leased { append(job, task.id, machine.task.state.rawValue, now) }
        }
    }

    private mutating func append(_ job: JobID, _ task: TaskID?, _ state: String, _ now: FarmTime) {
        lastSequence += 1
        events.append(JobEvent(sequence: lastSequence, job: job, task: task, state: state, at: now.date))
    }
}
