import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// The rows that a transaction holds, as they stand with what it has decided so far.
///
/// Jobs are locked first, tasks after them, each in the order of their identifiers: no deadlock. Whoever holds a job
/// may change its tasks and attempts; only renewals touch a lease without it.
struct LockedRows {
    private(set) var jobs: [JobID: JobRecord] = [:]
    private(set) var tasks: [TaskID: TaskRecord] = [:]
    private var attempts: [TaskID: [AttemptRecord]] = [:]

    /// The statements that lock the tasks of `attempts` with their jobs; ``read(_:)`` takes their results.
    static func locking(attempts: [AttemptID]) -> [Statement] {
        statements(
            jobs: "SELECT job FROM attempt WHERE id = ANY($1::uuid[])",
            tasks: "SELECT task FROM attempt WHERE id = ANY($1::uuid[])",
            attempts.map(\.uuid)
        )
    }

    /// The statements that lock `tasks` with their jobs; ``read(_:)`` takes their results.
    static func locking(tasks: [TaskID]) -> [Statement] {
        statements(
            jobs: "SELECT job FROM task WHERE id = ANY($1::uuid[])",
            tasks: "SELECT unnest($1::uuid[])",
            tasks.map(\.uuid)
        )
    }

    /// The statements in their order: each sees what was committed before it, so that tasks are read as they are once
    /// their jobs are held.
    private static func statements(jobs: String, tasks: String, _ wanted: [UUID]) -> [Statement] {
        [
            Statement("SELECT * FROM job WHERE id = ANY(\(jobs)) ORDER BY id FOR NO KEY UPDATE", [wanted]),
            Statement("SELECT * FROM task WHERE id = ANY(\(tasks)) ORDER BY id FOR NO KEY UPDATE", [wanted]),
            Statement(
                AttemptRecord.selection + " WHERE attempt.task = ANY(\(tasks)) ORDER BY attempt.number",
                [wanted]
            ),
        ]
    }

    /// Takes locked rows. Rows that are held already stay as they were decided.
    /// - Parameter sets: the results of ``locking(tasks:)`` or ``locking(attempts:)``.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    mutating func read(_ sets: some Collection<ResultSet>) throws {
        let sets = Array(sets)
        for job in try sets[0].map({ try JobRecord($0) }) where jobs[job.id] == nil { jobs[job.id] = job }
        var added: Set<TaskID> = []
        for task in try sets[1].map({ try TaskRecord($0) }) where tasks[task.id] == nil {
            tasks[task.id] = task
            added.insert(task.id)
        }
        for attempt in try sets[2].map({ try AttemptRecord($0) }) where added.contains(attempt.task) {
            attempts[attempt.task, default: []].append(attempt)
        }
    }

    /// Takes jobs that are locked.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    mutating func read(jobs locked: ResultSet) throws {
        for job in try locked.map({ try JobRecord($0) }) { jobs[job.id] = job }
    }

    /// The state of an attempt of a task; nil when it is not held.
    func state(of attempt: AttemptID, of task: TaskID) -> AttemptView.State? {
        attempts[task]?.first { $0.id == attempt }?.state
    }

    /// The task of an attempt; nil when it is not held.
    func task(of attempt: AttemptID) -> TaskID? {
        attempts.values.lazy.joined().first { $0.id == attempt }?.task
    }

    /// Locks a job.
    /// - Returns: nil when there is no such job.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    mutating func lock(_ job: JobID, _ connection: isolated Connection) throws -> JobRecord? {
        let rows = try connection.query("SELECT * FROM job WHERE id = $1 FOR NO KEY UPDATE", [job.uuid])
        guard let row = rows.first else { return nil }
        let record = try JobRecord(row)
        jobs[job] = record
        return record
    }

    /// A decision about a locked task; nil for a task that is not locked.
    func decision(on task: TaskID, policy: FarmPolicy) -> TaskDecision? {
        guard let record = tasks[task], let job = jobs[record.job] else { return nil }
        return TaskDecision(job: job, task: record, attempts: attempts[task] ?? [], policy: policy)
    }

    /// Follows a decision, so that the next one sees it.
    mutating func apply(_ change: FarmChange) {
        switch change {
        case .insertAttempt(let attempt): attempts[attempt.task, default: []].append(attempt)
        case .endAttempt(let attempt), .rejectAttempt(let attempt): replace(attempt)
        case .updateTask(let task): tasks[task.id] = task
        case .updateJob(let job): jobs[job.id] = job
        case .cancelOpenTasks(let job): tasks = tasks.filter { $0.value.job != job || $0.value.state.isFinal }
        case .withdrawTasks(let job, let stage):
            tasks = tasks.filter { _, task in
                task.job != job || task.state != .leased || task.stage <= stage || task.isIndependent
            }
            for (id, task) in tasks where task.job == job && task.stage > stage && !task.isIndependent {
                if task.state == .queued { tasks[id]?.claims = [] }
            }
        case .retryTasks, .keepPart, .countProvenFailure, .convict, .event: break
        }
    }

    private mutating func replace(_ attempt: AttemptRecord) {
        guard let place = attempts[attempt.task]?.firstIndex(where: { $0.id == attempt.id }) else { return }
        attempts[attempt.task]?[place] = attempt
    }
}
