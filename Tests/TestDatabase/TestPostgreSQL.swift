import Foundation
import Logging
package import PostgreSQL
import TestSupport

/// One real PostgreSQL for a whole test run, with a database of its own for every case.
package actor TestPostgreSQL {
    package static let shared = TestPostgreSQL()

    private var server: Task<EmbeddedPostgreSQL, any Error>?
    private var administration: Task<Connection, any Error>?
    private var templates: [String: Task<Void, any Error>] = [:]
    private var count = 0

    /// A new, empty database.
    package func database() async throws -> ConnectionTarget { try await create("") }

    /// A new copy of the database that `prepare` made once in this run under the name `template`.
    package func database(
        like template: String,
        prepare: @escaping @Sendable (ConnectionTarget) async throws -> Void
    ) async throws -> ConnectionTarget {
        let making = templates[template] ?? Task { try await self.make(template, prepare) }
        templates[template] = making
        try await making.value
        return try await create("TEMPLATE \(template)")
    }

    /// A connection to a database of this server.
    package nonisolated func connection(to database: ConnectionTarget) async throws -> Connection {
        try await Connection.open(database, logger: quiet)
    }

    private func make(_ template: String, _ prepare: (ConnectionTarget) async throws -> Void) async throws {
        let administrator = try await administrator()
        try await administrator.execute("CREATE DATABASE \(template)")
        try await prepare(try await start().start().database(template))
        // A template must have no connection, and the ones that `prepare` dropped end a moment later.
        let open = "SELECT 1 FROM pg_stat_activity WHERE datname = $1"
        try await waitUntil { try await administrator.run { try $0.query(open, [template]).isEmpty } }
    }

    private func create(_ options: String) async throws -> ConnectionTarget {
        count += 1
        let name = "case_\(count)"
        try await administrator().execute("CREATE DATABASE \(name) \(options)")
        return try await start().start().database(name)
    }

    /// One connection for all: suites run many cases at a time.
    private func administrator() async throws -> Connection {
        if let administration { return try await administration.value }
        let opening = Task {
            let target = try await self.start().start()
            return try await Connection.open(target.database("postgres"), logger: quiet)
        }
        administration = opening
        return try await opening.value
    }

    private func start() async throws -> EmbeddedPostgreSQL {
        if let server { return try await server.value }
        let starting = Task { try await Self.launch() }
        server = starting
        return try await starting.value
    }

    private static func launch() async throws -> EmbeddedPostgreSQL {
        RunFolder.removeLeftovers()
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: RunFolder.path)
        configuration.isDurable = false
        configuration.connectionLimit = 400
        let server = EmbeddedPostgreSQL(configuration, logger: quiet)
        try await server.start()
        RunFolder.removeAtExit(server: await server.processID ?? 0)
        return server
    }
}

private let quiet = Logger(label: "test.postgresql") { _ in SwiftLogNoOpLogHandler() }
