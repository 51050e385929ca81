package import CompositionModel
package import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore {
    package func blockedWorkers() async throws(FarmStoreError) -> [BlockedWorker] {
        try await transact { connection, _ in
            try connection.query("SELECT * FROM blocked_worker").map { try BlockedWorker($0) }.sorted {
                $0.name < $1.name
            }
        }
    }

    package func block(_ name: String, because reason: String) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = """
                INSERT INTO blocked_worker (name, reason, since_ms) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO UPDATE SET reason = $2, since_ms = $3
                """
            _ = try connection.query(sql, [name, reason, now.milliseconds])
        }
    }

    @discardableResult
    package func unblock(_ name: String) async throws(FarmStoreError) -> Bool {
        try await transact { [policy] connection, _ in
            let faulty = "SELECT FROM blocked_worker WHERE name = $1 AND is_faulty FOR UPDATE"
            guard try connection.query(faulty, [name]).isEmpty else { return false }
            let listed = try connection.query(
                "DELETE FROM blocked_worker WHERE name = $1 AND NOT is_faulty",
                [name]
            ).affectedCount
            let proven = try connection.query(
                "SELECT count(*) AS workers FROM worker WHERE name = $1 AND proven_failures >= $2",
                [name, policy.blocklistAfter]
            )
            let sql = """
                UPDATE worker SET proven_failures = 0 WHERE id = ANY(ARRAY(
                    SELECT id FROM worker WHERE name = $1 AND proven_failures > 0 ORDER BY id FOR UPDATE
                ))
                """
            _ = try connection.query(sql, [name])
            return try listed + proven[0].get("workers") > 0
        }
    }

    package func disown(_ worker: BlockedWorker) async throws(FarmStoreError) {
        // A grant that read the workers before they were blocked has committed once the farm's row is held.
        let opening = [Statement("SELECT FROM farm FOR UPDATE")]
        try await transact(opening: opening) { [policy] connection, now, _ in
            let sql = """
                SELECT lease.task AS id FROM lease JOIN attempt ON attempt.id = lease.attempt
                WHERE attempt.worker_name = $1 OR attempt.machine = ANY($2::text[])
                UNION SELECT id FROM task
                WHERE witnesses IS NOT NULL AND state IN ('queued', 'leased') AND witnesses && $3::text[]
                """
            let identities = worker.identities
            let tasks: [TaskID] = try connection.query(sql, [worker.name, worker.machines, identities.sorted()])
                .map { try $0.identifier("id") }
            var rows = LockedRows()
            try rows.read(connection.batch(LockedRows.locking(tasks: tasks)))
            var writer = ChangeWriter(at: now)
            for task in tasks.sorted() {
                guard var decision = rows.decision(on: task, policy: policy) else { continue }
                decision.disown(identities, at: now)
                try writer.write(decision.changes, to: &rows, connection)
            }
            try writer.finish(connection)
        }
    }

    package func artifactsToWithdraw(of worker: BlockedWorker) async throws(FarmStoreError) -> [ContentDigest] {
        try await transact { connection, _ in
            let sql = """
                UPDATE blocked_worker
                SET artifacts = ARRAY(SELECT unnest(artifacts) UNION SELECT artifact FROM (\(Self.made)) AS made)
                WHERE name = $1 RETURNING artifacts
                """
            guard let row = try connection.query(sql, [worker.name, worker.machines]).first else { return [] }
            return try row.get("artifacts", as: [String].self).compactMap { ContentDigest(text: $0) }.sorted {
                $0.description < $1.description
            }
        }
    }

    package func noteWithdrawn(_ worker: BlockedWorker) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = """
                UPDATE blocked_worker SET is_faulty = false, artifacts = '{}'
                WHERE name = $1 AND since_ms = $2 AND machines <@ $3::text[]
                """
            _ = try connection.query(sql, [worker.name, worker.since.milliseconds, worker.machines])
        }
    }
}

extension BlockedWorker {
    /// Reads a row of the table `blocked_worker`.
    /// - Throws: ``DatabaseError``.
    fileprivate init(_ row: Row) throws {
        self.init(
            name: try row.get("name"),
            reason: try row.get("reason"),
            since: try row.time("since_ms"),
            isFaulty: try row.get("is_faulty"),
            machines: try row.get("machines", as: [String].self).sorted()
        )
    }

    /// The statement that notes that the workers of a name, and all of these machines, are faulty. A reason that is there stays.
    static func conviction(
        _ name: String,
        _ machines: [String],
        _ reason: String,
        at now: FarmTime
    ) -> Statement {
        Statement(
            """
            INSERT INTO blocked_worker (name, reason, since_ms, is_faulty, machines) VALUES ($1, $2, $3, true, $4::text[])
            ON CONFLICT (name) DO UPDATE SET is_faulty = true, machines = ARRAY(
                SELECT unnest(blocked_worker.machines) UNION SELECT unnest(excluded.machines)
            )
            """,
            [name, reason, now.milliseconds, machines]
        )
    }
}
