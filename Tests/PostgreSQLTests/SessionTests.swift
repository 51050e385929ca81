import Dispatch
import PostgreSQL
import Synchronization
import TestDatabase
import TestSupport
import Testing

@Suite struct SessionTests {
    @Test(arguments: [
        ("idle_in_transaction_session_timeout", "10s"), ("lock_timeout", "30s"), ("client_encoding", "UTF8"),
    ])
    func locksAreNotHeldForEver(setting: String, value: String) async throws {
        let target = try await TestPostgreSQL.shared.database()
        #expect(try await target.scalar("SELECT current_setting('\(setting)') AS value") == value)
    }
}

@Suite struct DroppedConnectionTests {
    @Test func aConnectionThatNobodyHoldsIsClosed() async throws {
        let target = try await TestPostgreSQL.shared.database()
        for _ in 0..<20 { try await Connection.open(target, logger: quiet).execute("SELECT 1") }
        let watcher = try await Connection.open(target, logger: quiet)
        let others = { @Sendable () async throws -> Int in
            try await watcher.run { connection in
                let sql = """
                    SELECT count(*) AS n FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                    """
                return try connection.query(sql)[0].get("n")
            }
        }
        try await waitUntil { try await others() == 0 }
    }
}

@Suite struct PreparedStatementTests {
    /// Another program's migration changes what `SELECT *` gives: the connection is replaced, the caller notices
    /// nothing.
    @Test func aSchemaThatChangesUnderAPoolIsFollowed() async throws {
        let pool = ConnectionPool(target: try await TestPostgreSQL.shared.database(), size: 1, logger: quiet)
        try await pool.run { try $0.execute("CREATE TABLE part AS SELECT 1 AS n") }
        let count = { @Sendable () async throws -> Int in
            try await pool.transaction(isRepeatable: false) { connection, _ in
                _ = try connection.query("SELECT * FROM part")[0]
                return try connection.query("SELECT * FROM part").count
            }
        }
        #expect(try await count() == 1)
        try await pool.run { try $0.execute("ALTER TABLE part ADD COLUMN more int; INSERT INTO part VALUES (2, 2)") }
        #expect(try await count() == 2)
    }

    @Test func theSameStatementTwiceInABatchAndMoreThanAreKept() async throws {
        let connection = try await Connection.open(TestPostgreSQL.shared.database(), logger: quiet)
        try await connection.run { connection in
            let sets = try connection.batch((0..<500).map { Statement("SELECT \($0 / 2) AS n") })
            #expect(try sets.map { try $0[0].get("n", as: Int.self) } == (0..<500).map { $0 / 2 })
            let again = try connection.batch([Statement("SELECT 7 AS n"), Statement("SELECT 249 AS n")])
            #expect(try again[1][0].get("n") == 249)
        }
    }

    /// What failed to be parsed is not taken for known.
    @Test func aStatementThatFailedIsParsedAgain() async throws {
        let connection = try await Connection.open(TestPostgreSQL.shared.database(), logger: quiet)
        for _ in 0..<2 {
            let error = await #expect(throws: DatabaseError.self) {
                try await connection.run {
                    _ = try $0.batch([Statement("SELECT 1 / 0"), Statement("SELECT * FROM part")])
                }
            }
            #expect(error?.code == "22012")
        }
        try await connection.execute("CREATE TABLE part AS SELECT 1 AS n")
        try await connection.run { connection in
            let rows = try connection.query("SELECT * FROM part")
            #expect(rows.count == 1)
        }
    }
}

@Suite struct FrozenProgramTests {
    /// A program that was stopped in a transaction finds it undone, and does it again.
    @Test func aTransactionThatWasLeftOpenForTooLongRunsAgain() async throws {
        let target = try await TestPostgreSQL.shared.database()
        let pool = ConnectionPool(
            target: target,
            size: 1,
            settings: "SET idle_in_transaction_session_timeout = '100ms'",
            logger: quiet
        )
        try await pool.run { try $0.execute("CREATE TABLE part (n int)") }
        let runs = Mutex(0)
        let (backends, stopped) = AsyncStream<Int>.makeStream()
        let goesOn = DispatchSemaphore(value: 0)
        let undoing = Task {
            for await backend in backends { try await target.untilGone(backend) }
            goesOn.signal()
        }
        try await pool.transaction(isRepeatable: false) { connection, _ in
            _ = try connection.query("INSERT INTO part VALUES (1)")
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            if isFirst {
                stopped.yield(try connection.backendProcess())
                stopped.finish()
                goesOn.wait()
            }
            _ = try connection.query("INSERT INTO part VALUES (2)")
        }
        try await undoing.value
        #expect(runs.withLock { $0 } == 2)
        #expect(try await pool.run { try $0.query("SELECT * FROM part").count } == 2)
    }
}
