import Foundation
import PostgreSQL
import TestDatabase
import Testing

@Suite struct ConnectionTests {
    private func open() async throws -> Connection {
        try await Connection.open(TestPostgreSQL.shared.database(), logger: quiet)
    }

    @Test func valuesGoThereAndBack() async throws {
        let id = UUID()
        let bytes = Data((0...255).map { UInt8($0) })
        try await open().run { connection in
            let rows = try connection.query(
                """
                SELECT $1::bigint AS number, $2::text AS words, $3::bool AS yes, $4::float8 AS half, $5::uuid AS id,
                       $6::bytea AS bytes, $7::text AS nothing, $8::text[] AS list, $9::jsonb ->> 'k' AS json
                """,
                [
                    Int64.min, "it’s \"a\" \\ 'test' \n", true, 0.5, id, bytes, String?.none,
                    ["a", "b\"\\,{}", "NULL", ""], "{\"k\": \"v\"}",
                ]
            )
            let row = try #require(rows.first)
            #expect(try row.get("number") == Int64.min)
            #expect(try row.get("words") == "it’s \"a\" \\ 'test' \n")
            #expect(try row.get("yes") == true)
            #expect(try row.get("half") == 0.5)
            #expect(try row.get("id") == id)
            #expect(try row.get("bytes") == bytes)
            #expect(try row.optional("nothing", as: String.self) == nil)
            #expect(try row.get("list") == #"{a,"b\"\\,{}","NULL",""}"#)
            #expect(try row.get("json") == "v")
        }
    }

    @Test(arguments: [("absent", "is not in the result"), ("nothing", "is null"), ("word", "is no Int")])
    func aWrongColumnIsAnError(column: String, problem: String) async throws {
        try await open().run { connection in
            let row = try connection.query("SELECT NULL AS nothing, 'x' AS word")[0]
            let error = #expect(throws: DatabaseError.self) { try row.get(column, as: Int.self) }
            #expect(error?.message == "Column “\(column)” \(problem).")
            #expect(error?.place?.hasPrefix("PostgreSQLTests/ConnectionTests.swift:") == true)
        }
    }

    @Test func anErrorHasCodePlaceAndConstraint() async throws {
        try await open().run { connection in
            try connection.execute("CREATE TABLE part (n int CONSTRAINT positive CHECK (n > 0))")
            let error = #expect(throws: DatabaseError.self) { try connection.query("INSERT INTO part VALUES (-1)") }
            #expect(error?.code == "23514")
            #expect(error?.constraint == "positive")
            #expect(error?.place?.contains("ConnectionTests.swift") == true)
            #expect(try connection.query("SELECT 1 AS one").count == 1)
        }
    }

    @Test func aTransactionIsAllOrNothing() async throws {
        struct Stop: Error {}
        try await open().run { connection in
            try connection.execute("CREATE TABLE part (n int)")
            #expect(throws: Stop.self) {
                try connection.transaction { connection in
                    try connection.query("INSERT INTO part VALUES (1)")
                    throw Stop()
                }
            }
            #expect(try connection.query("SELECT * FROM part").isEmpty)
            try connection.transaction { _ = try $0.query("INSERT INTO part VALUES (2), (3)") }
            #expect(
                try connection.query("SELECT n FROM part ORDER BY n").map { try $0.get("n", as: Int.self) } == [2, 3]
            )
        }
    }

    /// COMMIT of a failed transaction answers ROLLBACK, without an error.
    @Test func aSwallowedErrorDoesNotCommit() async throws {
        try await open().run { connection in
            try connection.execute("CREATE TABLE part (n int)")
            let error = #expect(throws: DatabaseError.self) {
                try connection.transaction { connection in
                    try connection.query("INSERT INTO part VALUES (1)")
                    try? connection.execute("SELECT 1 / 0")
                }
            }
            #expect(error?.code == "25P02")
            #expect(try connection.query("SELECT * FROM part").isEmpty)
        }
    }

    @Test func aStatementIsCancelledFromElsewhere() async throws {
        let target = try await TestPostgreSQL.shared.database()
        let connection = try await Connection.open(target, logger: quiet)
        let backend = try await connection.run { try $0.backendProcess() }
        let running = Task { try await connection.execute("SELECT pg_sleep(86400)") }
        try await target.untilAsleep(backend)
        connection.cancel()
        let error = await #expect(throws: DatabaseError.self) { try await running.value }
        #expect(error?.code == "57014")
        #expect(await connection.isUsable)
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
        let target = try await TestPostgreSQL.shared.database()
        let connection = try await Connection.open(target, logger: quiet, answerLimit: .seconds(1))
        let error = await #expect(throws: DatabaseError.self) { try await connection.execute("SELECT pg_sleep(86400)") }
        #expect(error?.code == DatabaseError.noAnswer)
        #expect(error?.isConnectionLost == true)
        #expect(await !connection.isUsable)
    }

    @Test func aClosedConnectionIsNoticed() async throws {
        let target = try await TestPostgreSQL.shared.database()
        let connection = try await Connection.open(target, logger: quiet)
        let other = try await Connection.open(target, logger: quiet)
        let process = try await connection.run { try $0.backendProcess() }
        try await other.run { _ = try $0.query("SELECT pg_terminate_backend($1, 5000)", [process]) }
        #expect(await !connection.isUsable)
        let error = await #expect(throws: DatabaseError.self) { try await connection.execute("SELECT 1") }
        #expect(error?.isConnectionLost == true)
    }

    @Test func blockedConnectionsLeaveTheOthersFree() async throws {
        let target = try await TestPostgreSQL.shared.database()
        var sleepers: [Connection] = []
        for _ in 0..<8 { sleepers.append(try await Connection.open(target, logger: quiet)) }
        var backends: [Int] = []
        for connection in sleepers { backends.append(try await connection.run { try $0.backendProcess() }) }
        let sleeping = sleepers.map { connection in Task { try await connection.execute("SELECT pg_sleep(86400)") } }
        for backend in backends { try await target.untilAsleep(backend) }
        try await Connection.open(target, logger: quiet).execute("SELECT 1")
        for connection in sleepers { connection.cancel() }
        for task in sleeping { _ = await task.result }
    }
}

@Suite struct ConnectionBatchTests {
    private func open() async throws -> Connection {
        let connection = try await Connection.open(TestPostgreSQL.shared.database(), logger: quiet)
        try await connection.execute("CREATE TABLE part (n int PRIMARY KEY)")
        return connection
    }

    @Test func statementsRunInOrderWithTheirResults() async throws {
        try await open().run { connection in
            let sets = try connection.batch([
                Statement("INSERT INTO part SELECT generate_series(1, $1)", [3], expecting: 3),
                Statement("SELECT sum(n) AS total FROM part"),
                Statement("DELETE FROM part WHERE n = $1", [2], expecting: 1),
            ])
            #expect(sets.map(\.affectedCount) == [3, 1, 1])
            #expect(try sets[1][0].get("total") == 6)
        }
    }

    @Test func afterAFailureNothingIsLeftAndTheConnectionServes() async throws {
        try await open().run { connection in
            let error = #expect(throws: DatabaseError.self) {
                try connection.batch([
                    Statement("INSERT INTO part VALUES (1)"), Statement("INSERT INTO part VALUES (1)"),
                    Statement("INSERT INTO part VALUES (2)"),
                ])
            }
            #expect(error?.code == "23505")
            let left = try connection.query("SELECT * FROM part")
            #expect(left.isEmpty)
        }
    }

    @Test func anotherNumberOfRowsIsAnError() async throws {
        try await open().run { connection in
            let error = #expect(throws: DatabaseError.self) {
                try connection.batch([Statement("DELETE FROM part WHERE n = 9", expecting: 1)])
            }
            #expect(error?.code == DatabaseError.staleRow)
        }
    }

    /// More than the socket's buffers hold, both ways at once: sending must not wait for the server's reading alone.
    @Test func aLargeBatchDoesNotBlockItself() async throws {
        try await open().run { connection in
            let text = String(repeating: "x", count: 100_000)
            let sets = try connection.batch((0..<200).map { _ in Statement("SELECT $1::text AS t", [text]) })
            #expect(sets.count == 200)
            #expect(try sets[199][0].get("t", as: String.self).utf8.count == 100_000)
        }
    }
}
