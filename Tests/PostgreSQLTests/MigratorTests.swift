import PostgreSQL
import TestDatabase
import Testing

@Suite struct MigratorTests {
    private let steps = [
        Migration(number: 2, name: "add", sql: "INSERT INTO part VALUES (1)"),
        Migration(number: 1, name: "make", sql: "CREATE TABLE part (n int)"),
    ]

    private func pool() async throws -> ConnectionPool {
        ConnectionPool(target: try await TestPostgreSQL.shared.database(), size: 4, logger: quiet)
    }

    private func count(_ pool: ConnectionPool) async throws -> Int {
        try await pool.run { try $0.query("SELECT count(*) AS n FROM part")[0].get("n") }
    }

    @Test func eachStepRunsOnceAlsoWithManyAtATime() async throws {
        let pool = try await pool()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await Migrator(steps).run(on: pool) } }
            try await group.waitForAll()
        }
        #expect(try await count(pool) == 1)
    }

    @Test func aStepThatFailsLeavesNothing() async throws {
        let pool = try await pool()
        let broken = Migration(number: 3, name: "break", sql: "INSERT INTO part VALUES (2); SELECT 1 / 0")
        let error = await #expect(throws: DatabaseError.self) { try await Migrator(steps + [broken]).run(on: pool) }
        #expect(error?.code == "22012")
        #expect(try await count(pool) == 1)
        try await Migrator(steps + [Migration(number: 3, name: "mended", sql: "DELETE FROM part")]).run(on: pool)
        #expect(try await count(pool) == 0)
    }

    @Test(arguments: [(3, true), (4, false)])
    func oneStepAheadIsServedMoreIsRefused(version: Int, isServed: Bool) async throws {
        let pool = try await pool()
        try await Migrator(steps).run(on: pool)
        try await pool.run { _ = try $0.query("INSERT INTO schema_migration VALUES ($1, 'later')", [version]) }
        var refusal: DatabaseError?
        do { try await Migrator(steps).run(on: pool) } catch let error as DatabaseError { refusal = error }
        #expect(refusal?.code == (isServed ? nil : DatabaseError.tooNew))
    }

    @Test(arguments: [("0012_lease_table.sql", 12, "lease_table"), ("readme.sql", 0, ""), ("x_y.sql", 0, "")])
    func aFileNameGivesNumberAndName(file: String, number: Int, name: String) {
        let migration = Migration(fileName: file, sql: "SELECT 1")
        #expect(migration?.number == (number == 0 ? nil : number))
        #expect(migration?.name == (number == 0 ? nil : name))
    }
}
