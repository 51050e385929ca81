import Farm
import Foundation
import PostgreSQL
import Shared

/// Rows that this transaction holds, as they stand with what it has decided so far.
///
/// Jobs are locked first and in the order of their identifiers, tasks after them: one order, no deadlock. Whoever holds
/// a job may change its tasks and attempts; only renewals touch a lease without it.
struct LockedRows {
    private(set) var jobs: [JobID: JobRecord] = [:]
    private(set) var tasks: [TaskID: TaskRecord] = [:]
    private var attempts: [TaskID: [AttemptRecord]] = [:]

    /// Locks the tasks that `wanted` are attempts of.
    ///
    /// - Returns: the task of each attempt that exists.
    mutating func lock(
        attempts wanted: [AttemptID],
        _ connection: isolated Connection
    ) throws -> [AttemptID: TaskID] {
        let sql = "SELECT id, task, job FROM attempt WHERE id = ANY($1::uuid[])"
        var found: [AttemptID: TaskID] = [:]
        var places: [TaskID: JobID] = [:]
        for row in try connection.query(sql, [wanted.map(\.uuid)]) {
            let task: TaskID = try row.identifier("task")
            found[try row.identifier("id")] = task
            places[task] = try row.identifier("job")
        }
        try lock(places, connection)
        return found
    }

    /// Locks the tasks named that are not yet locked, with their jobs.
    mutating func lock(_ places: [TaskID: JobID], _ connection: isolated Connection) throws {
        let missing = places.filter { tasks[$0.key] == nil }
        guard !missing.isEmpty else { return }
        for job in Set(missing.values).sorted() where jobs[job] == nil { try lock(job, connection) }
        let wanted = missing.keys.map(\.uuid)
        let sets = try connection.batch([
            Statement("SELECT * FROM task WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE", [wanted]),
            Statement(
                AttemptRecord.selection + " WHERE attempt.task = ANY($1::uuid[]) ORDER BY attempt.number",
                [wanted]
            ),
        ])
        for row in sets[0] {
            let task = try TaskRecord(row)
            tasks[task.id] = task
        }
        for row in sets[1] {
            let attempt = try AttemptRecord(row)
            attempts[attempt.task, default: []].append(attempt)
        }
    }

    /// - Returns: nil when there is no such job.
    @discardableResult
    mutating func lock(_ job: JobID, _ connection: isolated Connection) throws -> JobRecord? {
        let rows = try connection.query("SELECT * FROM job WHERE id = $1 FOR NO KEY UPDATE", [job.uuid])
        guard let row = rows.first else { return nil }
        let record = try JobRecord(row)
        jobs[job] = record
        return record
    }

    /// A decision about a locked task; nil for one that is not locked.
    func decision(on task: TaskID, policy: FarmPolicy) -> TaskDecision? {
        guard let record = tasks[task], let job = jobs[record.job] else { return nil }
        return TaskDecision(job: job, task: record, attempts: attempts[task] ?? [], policy: policy)
    }

    mutating func apply(_ change: FarmChange) {
        switch change {
        case .insertAttempt(let attempt): attempts[attempt.task, default: []].append(attempt)
        case .endAttempt(let attempt): replace(attempt)
        case .updateTask(let task): tasks[task.id] = task
        case .updateJob(let job): jobs[job.id] = job
        case .cancelOpenTasks(let job): tasks = tasks.filter { $0.value.job != job || $0.value.state.isFinal }
        case .countProvenFailure, .event: break
        }
    }

    private mutating func replace(_ attempt: AttemptRecord) {
        guard let place = attempts[attempt.task]?.firstIndex(where: { $0.id == attempt.id }) else { return }
        attempts[attempt.task]?[place] = attempt
    }
}
