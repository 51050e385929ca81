import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// Turns decisions into statements and sends them in few round trips: jobs, tasks and attempts as decided, then the
/// workers in the order of their identifiers, last the events. Every transaction ends in that order, so that none waits
/// in a ring.
struct ChangeWriter {
    /// An event without its sequence, which the database gives.
    private struct Event {
        let job: JobID
        let task: TaskID?
        let state: String
    }

    let now: FarmTime
    private var statements: [Statement] = []
    private var events: [Event] = []
    private var heard: Set<WorkerID> = []
    private var leaving: Set<WorkerID> = []
    private var proven: [WorkerID] = []
    /// How many attempts of a worker more are completed and have failed.
    private var counts: [WorkerID: (completed: Int, failed: Int)] = [:]
    /// The names of faulty workers, with the reasons and their machines.
    private var convicted: [String: (reason: String, machines: Set<String>)] = [:]
    /// Whether a decision so far has found a machine faulty. It is not in the database before ``finish(_:)``.
    var convicts: Bool { !convicted.isEmpty }
    /// The attempts whose leases the statements that wait change or remove.
    private var touched: [AttemptID] = []

    /// Begins with nothing to write.
    init(at now: FarmTime) { self.now = now }

    /// Adds statements behind those that wait.
    mutating func add(_ more: [Statement]) { statements += more }

    /// Adds the renewals of leases.
    mutating func renew(_ attempts: [AttemptRecord]) {
        statements += attempts.map { $0.renewal() }
        touched += attempts.map(\.id)
    }

    /// Notes that the worker was heard of at ``now``.
    mutating func hear(_ worker: WorkerID) { heard.insert(worker) }

    /// Notes that the worker says goodbye.
    mutating func leave(_ worker: WorkerID) { leaving.insert(worker) }

    /// Adds the statements of a decision.
    /// - Parameter rows: the rows as they were before these changes; afterwards as they are.
    /// - Throws: ``DatabaseError`` when a query of it fails.
    mutating func write(
        _ changes: [FarmChange],
        to rows: inout LockedRows,
        _ connection: isolated Connection
    ) throws {
        for change in changes {
            try write(change, rows, connection)
            rows.apply(change)
        }
    }

    /// Sends everything. Nothing may be written afterwards but COMMIT: the lock of the events is held.
    /// - Throws: ``DatabaseError`` when a row changed under the transaction, or the database does not answer.
    mutating func finish(_ connection: isolated Connection) throws {
        for (name, found) in convicted.sorted(by: { $0.key < $1.key }) {
            statements.append(BlockedWorker.conviction(name, found.machines.sorted(), found.reason, at: now))
        }
        let workers = heard.union(leaving).union(proven).union(counts.keys)
        statements += workers.sorted().map(workerUpdate)
        if events.isEmpty {
            statements.insert(Self.light, at: 0)
        } else {
            statements += [eventInsertion(), Statement("SELECT pg_notify('\(Self.channel)', '')")]
        }
        try flush(connection)
    }

    /// Makes COMMIT wait for no disk, for transactions that only note who was heard of and how long leases last. Those
    /// of the last 600 ms may be lost in a crash (PostgreSQL manual §30.4).
    static let light = Statement("SET LOCAL synchronous_commit = off")

    /// Takes ``light`` back.
    static let durable = Statement("SET LOCAL synchronous_commit TO DEFAULT")

    /// The channel on which ``finish(_:)`` notifies of changes.
    static let channel = "cutfarm_changed"

    /// Sends what is written so far, for a query that must see it.
    /// - Throws: ``DatabaseError`` when a row changed under the transaction, or the database does not answer.
    mutating func flush(_ connection: isolated Connection) throws {
        if touched.count > 1 { lockLeases(of: nil) }
        try connection.batch(statements)
        (statements, touched) = ([], [])
    }

    /// Puts before the statements that wait the one that locks the leases that they touch, and those of `job`, in the
    /// order of their attempts' identifiers. Heartbeats lock leases in this order, without their jobs; two orders would
    /// make a ring.
    private mutating func lockLeases(of job: JobID?) {
        let lock = Statement(
            "SELECT FROM lease WHERE attempt = ANY($1::uuid[]) OR job = $2 ORDER BY attempt FOR UPDATE",
            [touched.map(\.uuid), job?.uuid]
        )
        statements.insert(lock, at: 0)
        touched = []
    }

    private mutating func write(_ change: FarmChange, _ rows: LockedRows, _ connection: isolated Connection) throws {
        switch change {
        case .insertAttempt(let attempt): statements += try attempt.insertion()
        case .endAttempt(let attempt):
            statements += try attempt.ending()
            touched.append(attempt.id)
            count(attempt, before: rows)
        case .rejectAttempt(let attempt):
            statements.append(try attempt.rejection())
            count(attempt, before: rows)
        case .withdrawTasks(let job, let stage): try withdrawTasks(of: job, behind: stage, connection)
        case .updateTask(let task):
            statements.append(try task.update(from: rows.tasks[task.id]?.state ?? task.state))
        case .keepPart(let task, let attempt):
            statements += try PartRecord.keeping(task, by: attempt, at: now).map { [$0] } ?? []
        case .updateJob(let job): try update(job, from: rows.jobs[job.id])
        case .cancelOpenTasks(let job): try cancelOpenTasks(of: job, connection)
        case .retryTasks(let job): try retryTasks(of: job, connection)
        case .countProvenFailure(let worker): proven.append(worker)
        case .convict(let name, let machine, let reason):
            var found = convicted[name] ?? (reason, [])
            if let machine { found.machines.insert(machine) }
            convicted[name] = found
        case .event(let job, let task, let state): events.append(Event(job: job, task: task, state: state))
        }
    }

    /// Counts an attempt that is in another state than in `rows`.
    private mutating func count(_ attempt: AttemptRecord, before rows: LockedRows) {
        let before = rows.state(of: attempt.id, of: attempt.task)
        let completed = (attempt.state == .completed ? 1 : 0) - (before == .completed ? 1 : 0)
        let failed = (attempt.state == .failed ? 1 : 0) - (before == .failed ? 1 : 0)
        guard completed != 0 || failed != 0 else { return }
        let found = counts[attempt.worker] ?? (0, 0)
        counts[attempt.worker] = (found.completed + completed, found.failed + failed)
    }

    private mutating func update(_ job: JobRecord, from previous: JobRecord?) throws {
        statements.append(try job.update(from: previous?.state ?? job.state))
        if let previous, previous.priority != job.priority {
            statements.append(
                Statement("UPDATE task SET priority = $2 WHERE job = $1", [job.id.uuid, job.priority])
            )
        }
        statements += Self.opening(job, from: previous)
    }

    /// The statements that keep `is_open` as ``TaskRecord/isOpen(in:)`` says, after a change of the job. A window holds no
    /// joining back.
    private static func opening(_ job: JobRecord, from previous: JobRecord?) -> [Statement] {
        if job.isStopped {
            guard previous?.isStopped == false else { return [] }
            return [Statement("UPDATE task SET is_open = false WHERE job = $1 AND is_open", [job.id.uuid])]
        }
        var statements: [Statement] = []
        if job.isOutsideWindow, previous?.isOutsideWindow == false {
            statements.append(
                Statement(
                    "UPDATE task SET is_open = false WHERE job = $1 AND is_open AND kind <> 'stitch'",
                    [job.id.uuid]
                )
            )
        }
        // A job that failed because a part of an earlier stage was taken back once too often still has the later one open
        // when it is retried.
        if let stage = job.openStage, previous?.state.isFinal == true {
            statements.append(
                Statement(
                    "UPDATE task SET is_open = false WHERE job = $1 AND stage > $2 AND is_open AND NOT is_independent",
                    [job.id.uuid, stage]
                )
            )
        }
        let isFreed = previous?.isStopped == true || previous?.isOutsideWindow == true && !job.isOutsideWindow
        if let stage = job.openStage, stage != previous?.openStage || isFreed {
            statements.append(
                Statement(
                    """
                    UPDATE task SET is_open = true
                    WHERE job = $1 AND (stage = $2 OR is_independent) AND NOT is_open AND (kind = 'stitch' OR NOT $3)
                    """,
                    [job.id.uuid, stage, job.isOutsideWindow]
                )
            )
        }
        return statements
    }

    /// Queues the tasks of a job that failed or were cancelled. Only the database knows which these are.
    private mutating func retryTasks(of job: JobID, _ connection: isolated Connection) throws {
        // What it does from now on is history of its own.
        statements.append(Statement("UPDATE job SET is_forgotten = false WHERE id = $1", [job.uuid]))
        try flush(connection)
        let sql = """
            UPDATE task SET state = 'queued', failure = NULL, not_before_ms = $2, counted_from_ms = $2,
                claims = NULL, witnesses = NULL
            WHERE job = $1 AND state IN ('failed', 'cancelled') RETURNING id, position
            """
        let rows = try connection.query(sql, [job.uuid, now.milliseconds])
        let tasks = try rows.map {
            (position: try $0.get("position", as: Int.self), id: try $0.get("id", as: UUID.self))
        }
        for task in tasks.sorted(by: { $0.position < $1.position }) {
            events.append(Event(job: job, task: TaskID(uuid: task.id), state: TaskState.queued.rawValue))
        }
    }

    /// Queues the leased tasks of later stages again, drops what machines claimed of tasks there, and closes these
    /// stages. Only the database knows which tasks these are.
    private mutating func withdrawTasks(of job: JobID, behind stage: Int, _ connection: isolated Connection) throws {
        lockLeases(of: job)
        try flush(connection)
        let later = "job = $1 AND stage > $2 AND NOT is_independent"
        let sets = try connection.batch([
            Statement("UPDATE task SET is_open = false WHERE \(later) AND is_open", [job.uuid, stage]),
            Statement(
                "UPDATE task SET claims = NULL, witnesses = NULL WHERE \(later) AND witnesses IS NOT NULL "
                    + "AND state IN ('queued', 'leased')",
                [job.uuid, stage]
            ),
            Statement(
                "UPDATE task SET state = 'queued', not_before_ms = $3 WHERE \(later) AND state = 'leased' "
                    + "RETURNING id, position",
                [job.uuid, stage, now.milliseconds]
            ),
        ])
        let tasks = try sets[2].map {
            (position: try $0.get("position", as: Int.self), id: try $0.get("id", as: UUID.self))
        }.sorted { $0.position < $1.position }
        try connection.batch([
            Statement(
                """
                UPDATE attempt SET state = 'released', ended_ms = $2, permille = lease.permille FROM lease
                WHERE lease.attempt = attempt.id AND lease.task = ANY($1::uuid[])
                """,
                [tasks.map(\.id), now.milliseconds]
            ),
            Statement("DELETE FROM lease WHERE task = ANY($1::uuid[])", [tasks.map(\.id)]),
        ])
        events += tasks.map { Event(job: job, task: TaskID(uuid: $0.id), state: TaskState.queued.rawValue) }
    }

    /// Cancels the open tasks of a job. Only the database knows which these are, and only once what was decided before
    /// is written.
    private mutating func cancelOpenTasks(of job: JobID, _ connection: isolated Connection) throws {
        lockLeases(of: job)
        try flush(connection)
        let sets = try connection.batch([
            Statement(
                """
                UPDATE task SET state = 'cancelled' WHERE job = $1 AND state IN ('queued', 'leased')
                RETURNING id, position
                """,
                [job.uuid]
            ),
            Statement("DELETE FROM lease WHERE job = $1", [job.uuid]),
            Statement(
                "UPDATE attempt SET state = 'cancelled', ended_ms = $2 WHERE job = $1 AND state = 'live'",
                [job.uuid, now.milliseconds]
            ),
        ])
        let tasks = try sets[0].map {
            (position: try $0.get("position", as: Int.self), id: try $0.get("id", as: UUID.self))
        }
        for task in tasks.sorted(by: { $0.position < $1.position }) {
            events.append(Event(job: job, task: TaskID(uuid: task.id), state: TaskState.cancelled.rawValue))
        }
    }

    /// The statement that notes what was heard of a worker. A coordinator of an earlier version counts nothing, so that one
    /// more may be rejected than is counted.
    private func workerUpdate(_ worker: WorkerID) -> Statement {
        Statement(
            """
            UPDATE worker SET last_seen_ms = greatest(last_seen_ms, $2), has_left = has_left OR $3,
                proven_failures = proven_failures + $4, completed_attempts = greatest(completed_attempts + $5, 0),
                failed_attempts = greatest(failed_attempts + $6, 0)
            WHERE id = $1
            """,
            [
                worker.uuid, heard.contains(worker) ? now.milliseconds : nil, leaving.contains(worker),
                proven.count { $0 == worker }, counts[worker]?.completed ?? 0, counts[worker]?.failed ?? 0,
            ]
        )
    }

    /// The statement that appends all events, in order.
    private func eventInsertion() -> Statement {
        Statement(
            """
            WITH taken AS (UPDATE event_sequence SET last = last + $1 RETURNING last - $1 AS before)
            INSERT INTO event (sequence, job, task, state, at_ms)
            SELECT taken.before + new.number, new.job, new.task, new.state, $5
            FROM taken, unnest($2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS new (job, task, state, number)
            """,
            [
                Int64(events.count), events.map(\.job.uuid), events.map(\.task?.uuid), events.map(\.state),
                now.milliseconds,
            ],
            expecting: events.count
        )
    }
}
