import PostgreSQL
import TestDatabase
import Testing

@Suite struct ConnectionPoolTests {
    private func pool(size: Int, limit: Duration = .seconds(10)) async throws -> ConnectionPool {
        ConnectionPool(
            target: try await TestPostgreSQL.shared.database(),
            size: size,
            checkoutLimit: limit,
            logger: quiet
        )
    }

    /// Takes a connection of `pool` for a second; returns once it has it.
    private func hold(_ pool: ConnectionPool) async -> Task<Void, any Error> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await pool.run { connection in
                continuation.finish()
                try connection.execute("SELECT pg_sleep(1)")
            }
        }
        for await _ in stream {}
        return holder
    }

    @Test func connectionsAreLentOneAtATimeAndUsedAgain() async throws {
        let pool = try await pool(size: 3)
        let backends = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    try await pool.run { connection in
                        try connection.execute("SELECT pg_sleep(0.002)")
                        return try connection.backendProcess()
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect((1...3).contains(backends.count))
    }

    @Test func whoWaitsTooLongIsTold() async throws {
        let pool = try await pool(size: 1, limit: .milliseconds(200))
        let holder = await hold(pool)
        let error = await #expect(throws: DatabaseError.self) { try await pool.checkHealth() }
        #expect(error?.code == DatabaseError.poolExhausted)
        try await holder.value
        try await pool.checkHealth()
    }

    @Test func whoIsCancelledWhileWaitingLeaves() async throws {
        let pool = try await pool(size: 1)
        let holder = await hold(pool)
        let waiter = Task { try await pool.checkHealth() }
        try await Task.sleep(for: .milliseconds(50))
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        try await holder.value
        try await pool.checkHealth()
    }

    @Test func brokenConnectionsAreReplaced() async throws {
        let pool = try await pool(size: 2)
        for _ in 0..<3 {
            await #expect(throws: DatabaseError.self) {
                try await pool.run { _ = try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
        }
        try await pool.checkHealth()
    }

    @Test func aConnectionLeftInATransactionIsNotLentAgain() async throws {
        let pool = try await pool(size: 1)
        let left = try await pool.run { connection in
            try connection.execute("BEGIN")
            return try connection.backendProcess()
        }
        #expect(try await pool.run { try $0.backendProcess() } != left)
    }

    /// Two transactions that lock two rows in opposite order: one is undone by the server, and runs again.
    @Test func aDeadlockIsTriedAgain() async throws {
        let pool = try await pool(size: 2)
        try await pool.run {
            try $0.execute("CREATE TABLE part (id int PRIMARY KEY, n int); INSERT INTO part VALUES (1, 0), (2, 0)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in [[1, 2], [2, 1]] {
                group.addTask {
                    try await pool.transaction(isRepeatable: false) { connection, _ in
                        try connection.query("UPDATE part SET n = n + 1 WHERE id = $1", [order[0]])
                        try connection.execute("SELECT pg_sleep(0.2)")
                        try connection.query("UPDATE part SET n = n + 1 WHERE id = $1", [order[1]])
                    }
                }
            }
            try await group.waitForAll()
        }
        let total = try await pool.run {
            try $0.query("SELECT sum(n) AS total FROM part")[0].get("total", as: Int.self)
        }
        #expect(total == 4)
    }
}
