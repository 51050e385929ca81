/// A step of a schema: the SQL that takes it from `number - 1` to `number`.
package struct Migration: Sendable, Hashable {
    /// The number, from 1 without gaps.
    package let number: Int
    /// The name for people.
    package let name: String
    /// The statements, separated by semicolons.
    package let sql: String

    /// Makes a step.
    package init(number: Int, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    /// Reads the number and the name from the name of a file.
    /// - Parameter fileName: a name such as `0001_farm.sql`.
    /// - Returns: nil when it does not begin with a number and `_`.
    package init?(fileName: String, sql: String) {
        let parts = fileName.split(separator: ".")[0].split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else { return nil }
        self.init(number: number, name: String(parts[1]), sql: sql)
    }
}

/// Brings a database up to date: forward only, each step in a transaction, one program at a time.
package struct Migrator: Sendable {
    /// Held by whoever migrates; any number that no other program's lock has.
    private static let lock = 7_411_201_407
    private let migrations: [Migration]

    /// Takes the steps in any order.
    package init(_ migrations: [Migration]) {
        self.migrations = migrations.sorted { $0.number < $1.number }
    }

    /// Applies the steps that are missing.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/tooNew`` when the database is more than one step ahead of this
    ///   program (programs N and N − 1 run on one schema), or with what the server refused.
    package func run(on pool: ConnectionPool) async throws {
        try await pool.transaction(isRepeatable: true) { connection, _ in
            try Self.prepare(connection)
            let current = try Self.version(connection)
            guard current <= latest + 1 else { throw tooNew(current) }
        }
        for migration in migrations {
            try await pool.transaction(isRepeatable: true) { connection, _ in try Self.apply(migration, connection) }
        }
    }

    private var latest: Int { migrations.last?.number ?? 0 }

    private static func prepare(_ connection: isolated Connection) throws {
        try connection.query("SELECT pg_advisory_xact_lock($1)", [lock])
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                number integer PRIMARY KEY,
                name text NOT NULL,
                applied timestamptz NOT NULL DEFAULT clock_timestamp()
            )
            """
        )
    }

    private static func version(_ connection: isolated Connection) throws -> Int {
        try connection.query("SELECT coalesce(max(number), 0) AS version FROM schema_migration")[0].get("version")
    }

    private static func apply(_ migration: Migration, _ connection: isolated Connection) throws {
        try connection.query("SELECT pg_advisory_xact_lock($1)", [lock])
        guard try version(connection) < migration.number else { return }
        try connection.execute(migration.sql)
        try connection.query(
            "INSERT INTO schema_migration (number, name) VALUES ($1, $2)",
            [migration.number, migration.name]
        )
    }

    private func tooNew(_ version: Int) -> DatabaseError {
        DatabaseError(
            code: DatabaseError.tooNew,
            message:
                "The farm's database is at schema \(version) and this program knows \(latest); use a newer cutfarm."
        )
    }
}
