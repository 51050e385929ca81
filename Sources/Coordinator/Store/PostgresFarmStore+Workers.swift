package import Farm
import Foundation
import PostgreSQL
import Synchronization
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
                SELECT worker.*, counts.* FROM worker CROSS JOIN LATERAL (
                    SELECT count(*) FILTER (WHERE state = 'live') AS running,
                        count(*) FILTER (WHERE state = 'completed') AS completed,
                        count(*) FILTER (WHERE state = 'failed') AS failed
                    FROM attempt WHERE attempt.worker = worker.id
                ) AS counts
                WHERE NOT has_left AND last_seen_ms >= $1 ORDER BY id
                """
            let oldest = now.adding(milliseconds: -policy.workerRetentionMilliseconds)
            return try connection.query(sql, [oldest.milliseconds]).map { row in
                try WorkerRecord(row).view(
                    running: row.get("running"),
                    completed: row.get("completed"),
                    failed: row.get("failed"),
                    at: now
                )
            }
        }
    }

    package func drain(_ worker: WorkerID) async throws(FarmStoreError) { try await setDraining(worker, true) }

    package func undrain(_ worker: WorkerID) async throws(FarmStoreError) { try await setDraining(worker, false) }

    private func setDraining(_ worker: WorkerID, _ isDraining: Bool) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = "UPDATE worker SET is_draining = $2 WHERE id = $1 AND NOT has_left"
            guard try connection.query(sql, [worker.uuid, isDraining]).affectedCount == 1 else {
                throw FarmStoreError.unknownWorker
            }
        }
    }

    /// The statement that reads the row of a worker that has not left.
    static func presence(of worker: WorkerID) -> Statement {
        Statement("SELECT * FROM worker WHERE id = $1 AND NOT has_left", [worker.uuid])
    }

    /// The worker of a result of ``presence(of:)``.
    /// - Throws: ``FarmStoreError/unknownWorker`` when there is none, or it has left.
    static func present(_ rows: ResultSet?) throws -> WorkerRecord {
        guard let row = rows?.first else { throw FarmStoreError.unknownWorker }
        return try WorkerRecord(row)
    }
}
