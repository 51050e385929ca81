package import Farm
import Foundation
import PostgreSQL
import Synchronization
import Timing
package import WireProtocol

extension PostgresFarmStore {
    package func registerWorker(
        _ registration: WorkerRegistration
    ) async throws(FarmStoreError) -> WorkerRegistered {
        // The identifier is drawn once, even when the transaction runs again.
        let drawn = Mutex<WorkerID?>(nil)
        return try await transact { [identifiers, policy] connection, now in
            let id = drawn.withLock { drawn -> WorkerID in
                let id = drawn ?? identifiers.next(at: now)
                drawn = id
                return id
            }
            try connection.batch([WorkerRecord(registration, id: id, registered: now).insertion()])
            return WorkerRegistered(
                worker: id,
                leaseMilliseconds: Int(policy.lease.leaseMilliseconds),
                heartbeatMilliseconds: Int(policy.lease.heartbeatMilliseconds)
            )
        }
    }

    package func workers() async throws(FarmStoreError) -> [WorkerView] {
        try await transact { [policy] connection, now in
            let sql = """
                \(WorkerRecord.selection),
                    (SELECT count(*) FROM attempt WHERE attempt.worker = worker.id AND state = 'live') AS running, last.*
                FROM worker LEFT JOIN LATERAL (
                    SELECT task.job AS last_job, task.position AS last_position, task.frame_start AS last_start,
                        task.frame_count AS last_count
                    FROM (
                        SELECT task, ended_ms, id FROM attempt WHERE worker = worker.id AND state = 'completed'
                        ORDER BY ended_ms DESC, id DESC LIMIT 16
                    ) AS newest JOIN task ON task.id = newest.task
                    WHERE task.kind = 'picture' AND task.frame_start IS NOT NULL
                    ORDER BY newest.ended_ms DESC, newest.id DESC LIMIT 1
                ) AS last ON true
                WHERE NOT has_left AND last_seen_ms >= $1 ORDER BY id
                """
            let oldest = now.adding(milliseconds: -policy.workerRetentionMilliseconds)
            let rows = try connection.query(sql, [oldest.milliseconds])
            let doing = try connection.query(Self.underWay).map {
                (try $0.identifier("worker") as WorkerID, try WorkerTask($0))
            }
            let tasks = Dictionary(grouping: doing, by: \.0)
            return try rows.map { row in
                let worker = try WorkerRecord(row)
                return try worker.view(
                    running: row.get("running"),
                    doing: (tasks[worker.id] ?? []).map(\.1),
                    last: WorkerSegment(row),
                    blocked: policy.blocklistReason(worker),
                    at: now
                )
            }
        }
    }

    /// What every worker has under way: small, as the table of leases is.
    private static let underWay = """
        SELECT lease.attempt, lease.task, lease.job, lease.worker, lease.permille, attempt.started_ms, task.kind,
            task.position, task.frame_count, job.title, job.rate_numerator, job.rate_denominator
        FROM lease JOIN attempt ON attempt.id = lease.attempt JOIN task ON task.id = lease.task
            JOIN job ON job.id = lease.job
        """

    package func drain(_ worker: WorkerID) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = "UPDATE worker SET is_draining = true WHERE id = $1 AND NOT has_left"
            guard try connection.query(sql, [worker.uuid]).affectedCount == 1 else {
                throw FarmStoreError.unknownWorker
            }
        }
    }

    @discardableResult
    package func undrain(_ worker: WorkerID) async throws(FarmStoreError) -> Bool {
        try await transact { [policy] connection, now in
            let sql = "UPDATE worker SET is_draining = false WHERE id = $1 AND NOT has_left AND last_seen_ms >= $2"
            let oldest = now.adding(milliseconds: -policy.workerAbsenceMilliseconds).milliseconds
            if try connection.query(sql, [worker.uuid, oldest]).affectedCount == 1 { return true }
            _ = try Self.present(connection.batch([Self.presence(of: worker)])[0])
            return false
        }
    }

    /// The statement that reads the row of a worker that has not left.
    static func presence(of worker: WorkerID) -> Statement {
        Statement(WorkerRecord.selection + " FROM worker WHERE id = $1 AND NOT has_left", [worker.uuid])
    }

    /// The worker of a result of ``presence(of:)``.
    /// - Throws: ``FarmStoreError/unknownWorker`` when there is none, or it has left.
    static func present(_ rows: ResultSet?) throws -> WorkerRecord {
        guard let row = rows?.first else { throw FarmStoreError.unknownWorker }
        return try WorkerRecord(row)
    }
}

extension WorkerSegment {
    fileprivate init?(_ row: Row) throws {
        guard let start: Int64 = try row.optional("last_start") else { return nil }
        self.init(
            job: try row.identifier("last_job"),
            position: try row.get("last_position"),
            frames: FrameRange(start: start, count: try row.get("last_count"))
        )
    }
}

extension WorkerTask {
    fileprivate init(_ row: Row) throws {
        let kind: TaskKind = try row.word("kind")
        let rate = try FrameRate(row.get("rate_numerator"), row.get("rate_denominator"))
        let frames: Int64? = try row.optional("frame_count")
        self.init(
            attempt: try row.identifier("attempt"),
            task: try row.identifier("task"),
            job: try row.identifier("job"),
            title: try row.get("title"),
            kind: kind,
            position: try row.get("position"),
            permille: try row.get("permille"),
            started: try row.time("started_ms").date,
            outputSeconds: kind == .picture ? frames.map { rate.seconds($0) } : nil
        )
    }
}
