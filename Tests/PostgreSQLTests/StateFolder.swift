import Foundation
import TestSupport

@testable import PostgreSQL

/// A state folder for a server of a test's own.
struct StateFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path("state") }
    var layout: ServerLayout { ServerLayout(stateFolder: path) }

    init() throws { folder = try TemporaryFolder() }

    func server() -> EmbeddedPostgreSQL { Self.server(path) }

    static func server(_ path: String) -> EmbeddedPostgreSQL {
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: path)
        configuration.isDurable = false
        return EmbeddedPostgreSQL(configuration, logger: quiet)
    }

    /// Processes of the server in it.
    var processes: [pid_t] { ServerProcesses.running(in: layout.data) }

    /// Whether they are gone, at the latest after `seconds`.
    func isQuiet(within seconds: Int) async throws -> Bool {
        for _ in 0..<(seconds * 20) {
            if processes.isEmpty { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return processes.isEmpty
    }
}

extension ConnectionTarget {
    /// Runs one statement on a connection of its own.
    @discardableResult
    func scalar(_ sql: String) async throws -> String? {
        try await Connection.open(self, logger: quiet).run { connection in
            try connection.query(sql).first?.optional("value")
        }
    }
}
