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

    /// Waits until they are gone.
    func untilQuiet() async throws { try await waitUntil { processes.isEmpty } }
}

/// How far a start has come, each step with what shows that it is reached, now or some time before.
enum StartStep: CaseIterable {
    case asked
    case makingTheDatabase
    case startingTheServer
    case askingTheServer

    func isReached(in layout: ServerLayout) -> Bool {
        switch self {
        case .asked: true
        case .makingTheDatabase: access(layout.unfinishedData, F_OK) == 0 || access(layout.data, F_OK) == 0
        case .startingTheServer: access(PostmasterFile.path(in: layout.data), F_OK) == 0
        case .askingTheServer: PostmasterFile(dataFolder: layout.data)?.isReady == true
        }
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
