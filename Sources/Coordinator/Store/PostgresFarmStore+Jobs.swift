package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func insertJob(_ job: NewJob) async throws(FarmStoreError) -> JobInsertion {
        try job.validate()
        let insertion: TaskInsertion
        do {
            insertion = try await encoding { try TaskInsertion(job) }
        } catch {
            throw .unavailable("\(error)")
        }
        return try await transact { [identifiers, policy] connection, now in
            if let existing = try Self.find(job, connection, policy) {
                return JobInsertion(job: existing, isNew: false)
            }
            let completed = try Self.completed(of: job.afterJobs, connection)
            try policy.quota.admit(job, beside: try Self.load(of: job.owner, where: Self.isUnfinished, connection))
            let ended = try Self.load(of: job.owner, where: Self.isPrunable, connection)
            try policy.history.admit(job.owner, having: ended)
            var record = JobRecord(job, id: identifiers.next(at: now), created: now)
            record.awaitedJobs.removeAll(where: completed.contains)
            guard try Self.insert(job, record, insertion, identifiers, connection, now) else {
                let first = try Self.find(job, connection, policy)
                return JobInsertion(job: first ?? record.view(tasks: TaskCounts(), permille: 0), isNew: false)
            }
            let tasks = TaskCounts(queued: job.tasks.count)
            return JobInsertion(job: record.view(tasks: tasks, permille: 0), isNew: true)
        }
    }

    /// Those of `jobs` that are completed. One that is completed from now on is seen by a sweep.
    /// - Throws: ``FarmStoreError/invalid(_:)`` when one of them is unknown.
    private static func completed(of jobs: [JobID], _ connection: isolated Connection) throws -> Set<JobID> {
        guard !jobs.isEmpty else { return [] }
        let rows = try connection.query("SELECT id, state FROM job WHERE id = ANY($1::uuid[])", [jobs.map(\.uuid)])
        var known: [JobID: JobState] = [:]
        for row in rows { known[try row.identifier("id")] = try row.word("state") }
        for job in jobs where known[job] == nil { throw FarmStoreError.unknown(job) }
        return Set(jobs.filter { known[$0] == .completed })
    }

    /// Inserts a job with everything of it. Two that arrive at once meet at the unique key: one waits for the other to
    /// commit.
    ///
    /// - Returns: false when the other was first.
    private static func insert(
        _ job: NewJob,
        _ record: JobRecord,
        _ tasks: TaskInsertion,
        _ identifiers: IdentifierSource,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws -> Bool {
        let load = OwnerLoad(tasks: job.tasks.count, bytes: job.documentByteCount)
        let insertion = try record.insertion(job.versions, load)
        guard try connection.batch([insertion])[0].affectedCount == 1 else { return false }
        var writer = ChangeWriter(at: now)
        var rows = LockedRows()
        writer.add([Statement("INSERT INTO owner (name) VALUES ($1) ON CONFLICT DO NOTHING", [job.owner])])
        try writer.flush(connection)
        try connection.copy(
            row: [.uuid(record.id.uuid), .bytes(job.composition), .bytes(job.plan)],
            into: "job_document (job, composition, plan)"
        )
        try tasks.write(record, identifiers, connection, at: now)
        try writer.write([.event(record.id, nil, state: record.state.rawValue)], to: &rows, connection)
        try writer.finish(connection)
        return true
    }

    /// Runs `work`, which computes, off Swift's cooperative threads. Cancelling the task stops it.
    /// - Throws: the error of `work`.
    private func encoding<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let thread = ComputingThread()
        return try await thread.run(work)
    }

    /// The condition that a job is not final.
    private static let isUnfinished = "state IN ('queued', 'rendering', 'stitching')"

    private static func load(
        of owner: String,
        where condition: String,
        _ connection: isolated Connection
    ) throws -> OwnerLoad {
        let sql = """
            SELECT coalesce(sum(task_count), 0)::bigint AS tasks, coalesce(sum(document_bytes), 0)::bigint AS bytes
            FROM job WHERE owner = $1 AND \(condition)
            """
        let row = try connection.query(sql, [owner])[0]
        return OwnerLoad(tasks: try row.get("tasks"), bytes: try row.get("bytes"))
    }

    package func job(_ id: JobID) async throws(FarmStoreError) -> JobView? {
        try await transact { [policy] connection, _ in
            let sql = JobViewQuery.select("job.id = $1", policy)
            return try connection.query(sql, [id.uuid]).first.map { try JobViewQuery.view($0) }
        }
    }

    package func jobs(_ filter: JobFilter) async throws(FarmStoreError) -> [JobView] {
        try await transact { [policy] connection, _ in
            let condition = """
                ($1::text IS NULL OR job.owner = $1) AND (cardinality($2::text[]) = 0 OR job.state = ANY($2::text[]))
                AND ($3::uuid IS NULL OR job.id < $3) AND ($5::text IS NULL OR strpos(lower(job.title), lower($5)) > 0)
                AND ($6::uuid IS NULL OR job.id BETWEEN $6 AND $7)
                AND ($8::boolean IS NULL OR $8 = (job.is_paused AND job.finished_ms IS NULL))
                ORDER BY job.id DESC LIMIT $4
                """
            let parameters: [any Parameter] = [
                filter.owner, filter.states.map(\.rawValue), filter.before?.uuid, max(0, filter.limit),
                filter.search, filter.identifiers?.lowerBound.uuid, filter.identifiers?.upperBound.uuid,
                filter.isPaused,
            ]
            let rows = try connection.query(JobViewQuery.select(condition, policy), parameters)
            return try rows.map { try JobViewQuery.view($0) }
        }
    }

    /// The job that the owner stored under the idempotency key; nil when there is none.
    /// - Throws: ``FarmStoreError/keyTaken`` when it is another submission; ``DatabaseError``.
    private static func find(
        _ job: NewJob,
        _ connection: isolated Connection,
        _ policy: FarmPolicy
    ) throws -> JobView? {
        let sql = JobViewQuery.select("job.owner = $1 AND job.idempotency_key = $2", policy)
        guard let row = try connection.query(sql, [job.owner, job.idempotencyKey]).first else { return nil }
        guard try JobRecord(row).isSame(as: job) else { throw FarmStoreError.keyTaken }
        return try JobViewQuery.view(row)
    }

    package func tasks(of job: JobID) async throws(FarmStoreError) -> [TaskView] {
        try await tasks(of: job, from: 0, limit: .max)
    }

    package func tasks(of job: JobID, from first: Int, limit: Int) async throws(FarmStoreError) -> [TaskView] {
        try await transact { connection, _ in
            let page = "FROM task WHERE job = $1 AND position >= $2 ORDER BY position LIMIT $3"
            let parameters: [any Parameter] = [job.uuid, first, max(0, limit)]
            let sets = try connection.batch([
                Statement("SELECT * \(page)", parameters),
                Statement(
                    AttemptRecord.selection + " WHERE attempt.task IN (SELECT id \(page)) ORDER BY attempt.number",
                    parameters
                ),
            ])
            let attempts = Dictionary(grouping: try sets[1].map { try AttemptRecord($0) }, by: \.task)
            return try sets[0].map { row in
                let task = try TaskRecord(row)
                return task.view(attempts: attempts[task.id] ?? [])
            }
        }
    }

    package func slice(
        of document: JobDocument,
        of job: JobID,
        _ range: Range<Int>
    ) async throws(FarmStoreError) -> DocumentSlice? {
        try await transact { connection, _ in
            let column = document.rawValue
            let sql = """
                SELECT octet_length(\(column)) AS byte_count, substring(\(column) FROM $2::int FOR $3::int) AS bytes
                FROM job_document WHERE job = $1
                """
            return try connection.query(sql, [job.uuid, range.lowerBound + 1, range.count]).first.map {
                DocumentSlice(byteCount: try $0.get("byte_count"), bytes: try $0.get("bytes"))
            }
        }
    }

    package func cancel(_ job: JobID) async throws(FarmStoreError) -> CancelOutcome {
        try await transact { connection, now in
            var rows = LockedRows()
            guard let record = try rows.lock(job, connection) else { throw FarmStoreError.unknownJob }
            var decision = JobDecision(job: record)
            let outcome = decision.cancel(at: now)
            var writer = ChangeWriter(at: now)
            try writer.write(decision.changes, to: &rows, connection)
            try writer.finish(connection)
            return outcome
        }
    }

    package func control(_ job: JobID, _ control: JobControl) async throws(FarmStoreError) -> ControlOutcome {
        try control.validate()
        return try await transact { [policy] connection, now in
            var rows = LockedRows()
            guard let record = try rows.lock(job, connection) else { throw FarmStoreError.unknownJob }
            var unfinished = record.remaining.map { _ in 0 }
            if control == .retry, record.state == .failed {
                let sql = """
                    SELECT stage, count(*) AS tasks FROM task WHERE job = $1 AND state <> 'completed' GROUP BY stage
                    """
                for row in try connection.query(sql, [job.uuid]) {
                    unfinished[try row.get("stage")] = try row.get("tasks")
                }
                // A job that failed has a task that did.
                guard unfinished.contains(where: { $0 > 0 }) else { return .pruned }
                let own = try connection.query("SELECT task_count, document_bytes FROM job WHERE id = $1", [job.uuid])[
                    0
                ]
                try policy.quota.admit(
                    OwnerLoad(tasks: try own.get("task_count"), bytes: try own.get("document_bytes")),
                    of: record.owner,
                    beside: try Self.load(of: record.owner, where: Self.isUnfinished, connection)
                )
            }
            var decision = JobDecision(job: record)
            let outcome = decision.control(control, unfinished: unfinished)
            var writer = ChangeWriter(at: now)
            try writer.write(decision.changes, to: &rows, connection)
            try writer.finish(connection)
            return outcome
        }
    }

    package func events(after sequence: Int64, job: JobID?, limit: Int) async throws(FarmStoreError) -> [JobEvent] {
        try await transact { connection, _ in
            let sql = """
                SELECT * FROM event WHERE sequence > $1 AND ($2::uuid IS NULL OR job = $2) ORDER BY sequence LIMIT $3
                """
            return try connection.query(sql, [sequence, job?.uuid, max(0, limit)]).map { try JobEvent($0) }
        }
    }

    package func lastEvent() async throws(FarmStoreError) -> Int64 {
        try await transact { connection, _ in
            try connection.query("SELECT last FROM event_sequence")[0].get("last")
        }
    }
}

extension JobEvent {
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            sequence: try row.get("sequence"),
            job: try row.identifier("job"),
            task: try row.optional("task", as: UUID.self).map { TaskID(uuid: $0) },
            state: try row.get("state"),
            at: try row.time("at_ms").date
        )
    }
}
