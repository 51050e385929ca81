import PostgreSQL
import TestSupport

extension Connection {
    /// The process of the server that serves this connection.
    func backendProcess() throws(DatabaseError) -> Int {
        try query("SELECT pg_backend_pid() AS process")[0].get("process")
    }
}

extension ConnectionTarget {
    /// Waits until `backend` is in the middle of `pg_sleep`.
    func untilAsleep(_ backend: Int) async throws {
        try await wait(for: "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", backend)
    }

    /// Waits until the server has closed the connection that `backend` served.
    func untilGone(_ backend: Int) async throws {
        try await wait(for: "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)", backend)
    }

    private func wait(for sql: String, _ backend: Int) async throws {
        let watcher = try await Connection.open(self, logger: quiet)
        try await waitUntil { try await watcher.run { try !$0.query(sql, [backend]).isEmpty } }
    }
}
