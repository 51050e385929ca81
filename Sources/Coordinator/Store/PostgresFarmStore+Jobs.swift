package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    /// The condition that a job is not final.
    static let isUnfinished = "state IN ('queued', 'rendering', 'stitching')"

    static func load(
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

    package func submitted(as key: String, by owner: String) async throws(FarmStoreError) -> SubmittedJob? {
        try await transact { [policy] connection, _ in
            let sql = JobViewQuery.select("job.owner = $1 AND job.idempotency_key = $2", policy)
            return try connection.query(sql, [owner, key]).first.map { row in
                SubmittedJob(submission: try JobRecord(row).submission, job: try JobViewQuery.view(row))
            }
        }
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
        return try await transact { [policy, recentLoads] connection, now in
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
                let own = "SELECT task_count, document_bytes FROM job WHERE id = $1"
                let row = try connection.query(own, [job.uuid])[0]
                let load = OwnerLoad(tasks: try row.get("task_count"), bytes: try row.get("document_bytes"))
                let waiting = try Self.load(of: record.owner, where: Self.isUnfinished, connection)
                try policy.quota.admit(load, of: record.owner, beside: waiting)
                recentLoads.add(load, of: record.owner, at: now)
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
