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
            let listed = try connection.query("DELETE FROM blocked_worker WHERE name = $1", [name]).affectedCount
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

    package func disown(_ name: String) async throws(FarmStoreError) {
        try await transact { [policy] connection, now in
            let sql = """
                SELECT lease.task AS id FROM lease JOIN attempt ON attempt.id = lease.attempt WHERE attempt.worker_name = $1
                UNION SELECT id FROM task
                WHERE witnesses IS NOT NULL AND state IN ('queued', 'leased') AND $2 = ANY(witnesses)
                """
            let identity = WorkerRecord.identities(name: name, machine: nil)
            let tasks: [TaskID] = try connection.query(sql, [name, identity[0]]).map { try $0.identifier("id") }
            var rows = LockedRows()
            try rows.read(connection.batch(LockedRows.locking(tasks: tasks)))
            var writer = ChangeWriter(at: now)
            for task in tasks.sorted() {
                guard var decision = rows.decision(on: task, policy: policy) else { continue }
                decision.disown(name, at: now)
                try writer.write(decision.changes, to: &rows, connection)
            }
            try writer.finish(connection)
        }
    }

    package func noteWithdrawn(_ name: String) async throws(FarmStoreError) {
        try await transact { connection, _ in
            _ = try connection.query("UPDATE blocked_worker SET is_faulty = false WHERE name = $1", [name])
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
            isFaulty: try row.get("is_faulty")
        )
    }

    /// The statement that notes that the workers of a name are faulty. A reason that is there stays.
    static func conviction(_ name: String, _ reason: String, at now: FarmTime) -> Statement {
        Statement(
            """
            INSERT INTO blocked_worker (name, reason, since_ms, is_faulty) VALUES ($1, $2, $3, true)
            ON CONFLICT (name) DO UPDATE SET is_faulty = true
            """,
            [name, reason, now.milliseconds]
        )
    }
}
