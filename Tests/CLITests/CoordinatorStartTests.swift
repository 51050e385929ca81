import Foundation
import Logging
import PostgreSQL
import ServiceLifecycle
import TestDatabase
import TestSupport
import Testing

@testable import CLI
@testable import Coordinator

/// Signals that come while a coordinator starts.
@Suite struct CoordinatorStartTests {
    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The last migration waits in the database, notices nothing of the signal, and succeeds.
    @Test func aSignalInTheLastStepOfAMigrationIsNotLost() async throws {
        let folder = try TemporaryFolder()
        let target = try await TestPostgreSQL.shared.database()
        let pool = ConnectionPool(target: target, size: 1, logger: quiet)
        defer { pool.close() }
        try await Migrator(Array(FarmSchema.migrations.dropLast())).run(on: pool)
        let holder = try await Connection.open(target, logger: quiet)
        try await holder.execute(
            "SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE schema_migration IN SHARE MODE"
        )
        try Data("me view,submit,admin 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: folder.path("tokens")))
        let coordinator = try RunningProgram(
            Programs.cutfarm,
            [
                "coordinator", "--database-url", target.description, "--state", folder.path("state"), "--port", "0",
                "--token-file", folder.path("tokens"), "--until-input-closes",
            ],
            log: folder.path("log")
        )
        let waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'schema_migration'::regclass"
        try await waitUntil {
            let isWaiting = try await pool.run { try !$0.query(waiting).isEmpty }
            return isWaiting || coordinator.hasEnded
        }
        coordinator.send(SIGTERM)
        func log() throws -> String { try String(contentsOfFile: folder.path("log"), encoding: .utf8) }
        try await waitUntil { try coordinator.hasEnded || log().contains("a signal ends the coordinator") }
        #expect(!coordinator.hasEnded)
        try await holder.execute("COMMIT")
        #expect(try await coordinator.wait() == 130)
        let said = try log()
        #expect(said.hasSuffix("Interrupted.\n"), "\(said)")
    }

    /// A signal that ends a coordinator which serves is no failure, whoever runs its database.
    @Test(arguments: [SIGTERM, SIGINT]) func aCoordinatorThatServesEndsWithZero(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let target = try await TestPostgreSQL.shared.database()
        try Data("me view,submit,admin 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: folder.path("tokens")))
        let coordinator = try RunningProgram(
            Programs.cutfarm,
            [
                "coordinator", "--database-url", target.description, "--state", folder.path("state"), "--port", "0",
                "--token-file", folder.path("tokens"), "--address-file", folder.path("address"),
            ],
            log: folder.path("log")
        )
        try await waitUntil {
            FileManager.default.fileExists(atPath: folder.path("address")) || coordinator.hasEnded
        }
        coordinator.send(signal)
        #expect(try await coordinator.wait() == 0)
    }

    /// A normal stop says nothing of a fault, though it also ends the coordinator's own database.
    @Test func aNormalStopIsQuiet() async throws {
        let folder = try TemporaryFolder()
        try Data("me view,submit,admin 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: folder.path("tokens")))
        let coordinator = try RunningProgram(
            Programs.cutfarm,
            [
                "coordinator", "--state", folder.path("state"), "--port", "0", "--token-file", folder.path("tokens"),
                "--address-file", folder.path("address"),
            ],
            log: folder.path("log")
        )
        try await waitUntil {
            FileManager.default.fileExists(atPath: folder.path("address")) || coordinator.hasEnded
        }
        coordinator.send(SIGTERM)
        #expect(try await coordinator.wait() == 0)
        let lines = try String(contentsOfFile: folder.path("log"), encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.contains("a signal ends the coordinator") })
        let faults = lines.filter { $0.contains(#""level":"warning""#) || $0.contains(#""level":"error""#) }
        #expect(faults.isEmpty && !lines.contains { $0.contains("abnormally") }, "\(faults)")
    }

    /// A cancelled service would break off what it does; it is asked to end, also when the signal came before it ran.
    @Test(arguments: [false, true])
    func cancelledServicesShutDownInGoodOrder(isFirst: Bool) async throws {
        let service = Obedient()
        let running = Task { [quiet] in
            if isFirst { withUnsafeCurrentTask { $0?.cancel() } }
            try await ServiceGroup.runUntilCancelled([service], logger: quiet)
        }
        if !isFirst {
            for await _ in service.began { break }
            running.cancel()
        }
        try await running.value
        var ends = service.ended.makeAsyncIterator()
        #expect(await ends.next() == .gracefully)
    }
}

/// Runs until it is told to end, and says how it was.
private struct Obedient: Service {
    enum End: Sendable {
        case gracefully
        case cancelled
    }

    private let begin: AsyncStream<Void>.Continuation
    private let end: AsyncStream<End>.Continuation
    let began: AsyncStream<Void>
    let ended: AsyncStream<End>

    init() {
        (began, begin) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream()
    }

    func run() async throws {
        begin.yield()
        do {
            try await gracefulShutdown()
            end.yield(Task.isCancelled ? .cancelled : .gracefully)
        } catch {
            end.yield(.cancelled)
        }
    }
}
