import Coordinator
import Farm
import Foundation
import Logging
import PostgreSQL
import ServiceLifecycle

/// The database of a coordinator: one that was named, or a private PostgreSQL that this process runs.
struct FarmDatabase: Service {
    let store: PostgresFarmStore
    private let embedded: EmbeddedPostgreSQL?

    /// Connects, or starts the private PostgreSQL, and brings the schema up to date.
    /// - Parameters:
    ///   - url: The database to use; nil starts a private one.
    ///   - policy: The numbers by which the farm decides.
    /// - Throws: ``CommandFailure`` with the cause; `CancellationError`, after which no part of it runs.
    static func open(
        url: String?,
        stateFolder: String,
        policy: FarmPolicy = FarmPolicy(),
        logger: Logger
    ) async throws -> FarmDatabase {
        var embedded: EmbeddedPostgreSQL?
        do {
            let target: ConnectionTarget
            if let url {
                target = try ConnectionTarget(url)
            } else {
                let configuration = EmbeddedPostgreSQL.Configuration(stateFolder: stateFolder)
                let server = EmbeddedPostgreSQL(configuration, logger: logger)
                embedded = server
                target = try await server.start()
            }
            let store = try await PostgresFarmStore.open(target, policy: policy, logger: logger)
            // What was under way when the task was cancelled came to its end all the same.
            try Task.checkCancellation()
            return FarmDatabase(store: store, embedded: embedded)
        } catch {
            await embedded?.stop()
            try Task.checkCancellation()
            throw failure(error)
        }
    }

    /// Whether it is a private PostgreSQL of this process.
    var isPrivate: Bool { embedded != nil }

    /// Keeps a private PostgreSQL running until the service is shut down; a named database is left alone.
    func run() async throws {
        guard let embedded else { return try await gracefulShutdown() }
        try await cancelWhenGracefulShutdown { try await embedded.supervise() }
    }

    /// Leaves the database, and stops the private PostgreSQL.
    func close() async {
        await store.close()
        await embedded?.stop()
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case let error as EmbeddedError: CommandFailure(error.code == .noSpace ? .noSpace : .usage, error.message)
        case let error as DatabaseError where error.isDiskFull:
            CommandFailure(.noSpace, "There is no space left where the farm's database is: \(error.message)")
        case let error as DatabaseError: CommandFailure(.unreachable, "The database cannot be used: \(error)")
        default: CommandFailure(.internalError, "The database cannot be used: \(error)")
        }
    }
}
