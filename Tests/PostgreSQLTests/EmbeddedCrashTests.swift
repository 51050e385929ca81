import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

/// What is left behind by processes that were killed.
@Suite struct EmbeddedCrashTests {
    @Test func aKilledServerComesBackWithWhatWasCommitted() async throws {
        let folder = try StateFolder()
        let server = EmbeddedPostgreSQL(EmbeddedPostgreSQL.Configuration(stateFolder: folder.path), logger: quiet)
        let pool = ConnectionPool(target: try await server.start(), size: 2, logger: quiet)
        let supervision = Task { try await server.supervise() }
        try await pool.run { try $0.execute("CREATE TABLE part (n int PRIMARY KEY)") }
        for number in 0..<6 {
            let before = try #require(await server.processID)
            try await insert(number, pool)
            kill(before, SIGKILL)
            try await insert(100 + number, pool)
            try await waitUntil { await server.processID != before }
        }
        // The last one may have been answered by a process that outlived its killed parent.
        let count = try await pool.transaction(isRepeatable: true) { connection, _ in
            try connection.query("SELECT count(*) AS n FROM part")[0].get("n", as: Int.self)
        }
        #expect(count == 12)
        supervision.cancel()
        try await supervision.value
        await server.stop()
        #expect(folder.processes.isEmpty)
    }

    private func insert(_ number: Int, _ pool: ConnectionPool) async throws {
        try await pool.transaction(isRepeatable: true) { connection, _ in
            _ = try connection.query("INSERT INTO part VALUES ($1) ON CONFLICT DO NOTHING", [number])
        }
    }

    @Test(arguments: StartStep.allCases)
    func aStartThatIsCancelledLeavesNothingRunning(step: StartStep) async throws {
        let folder = try StateFolder()
        let server = folder.server()
        let start = Task { try await server.start() }
        try await waitUntil { step.isReached(in: folder.layout) }
        start.cancel()
        let result = await start.result
        // Unless it was faster.
        if case .failure(let error) = result {
            #expect((error as? EmbeddedError)?.code == .cancelled)
            #expect(folder.processes.isEmpty)
        }
        await server.stop()
        #expect(folder.processes.isEmpty)
        // It can be started after all.
        try await server.start()
        await server.stop()
    }

    /// The server is up then and makes the farm's database, for which it needs a lock that a prepared transaction has
    /// held since before.
    @Test func aStartThatIsCancelledInItsLastStepLeavesNothingRunning() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        try await server.start()
        await server.stop()
        let settings = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.layout.data + "/postgresql.conf"))
        try settings.seekToEnd()
        try settings.write(contentsOf: Data("\nmax_prepared_transactions = 1\n".utf8))
        try settings.close()
        let administrator = try await server.start().database("postgres")
        try await administrator.scalar("DROP DATABASE cutfarm")
        try await Connection.open(administrator, logger: quiet)
            .execute("BEGIN; LOCK TABLE pg_database IN SHARE MODE; PREPARE TRANSACTION 'lock'")
        await server.stop()
        let start = Task { try await server.start() }
        try await waitUntil { StartStep.askingTheServer.isReached(in: folder.layout) }
        let waiting = "SELECT count(*)::text AS value FROM pg_locks WHERE NOT granted"
        try await waitUntil { try await administrator.scalar(waiting) == "1" }
        start.cancel()
        try await administrator.scalar("ROLLBACK PREPARED 'lock'")
        let error = await #expect(throws: EmbeddedError.self) { try await start.value }
        #expect(error?.code == .cancelled)
        #expect(folder.processes.isEmpty)
        #expect(await server.processID == nil)
    }

    /// The server runs, but lets nobody in.
    @Test func aStartThatFailsLeavesNothingRunning() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        try await server.start()
        await server.stop()
        let rules = folder.layout.data + "/pg_hba.conf"
        try Data("local all all reject\n".utf8).write(to: URL(fileURLWithPath: rules))
        await #expect(throws: DatabaseError.self) { try await server.start() }
        #expect(folder.processes.isEmpty)
        try Data("local all all trust\n".utf8).write(to: URL(fileURLWithPath: rules))
        #expect(try await server.start().scalar("SELECT 1 AS value") == "1")
        await server.stop()
    }

    /// A server that an earlier run left behind answers on the same socket: it must be gone, not taken for ours.
    @Test func anOrphanIsStoppedAndNotMistakenForOurs() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        try await server.start()
        await server.stop()
        let orphan = try await startOrphan(folder.layout)
        #expect(folder.processes.contains(orphan))
        let target = try await server.start()
        let ours = try #require(await server.processID)
        #expect(ours != orphan)
        #expect(!folder.processes.contains(orphan))
        #expect(try await target.scalar("SELECT 1 AS value") == "1")
        await server.stop()
    }

    /// The process id in a stale file belongs to somebody else by now, of the server's own user.
    @Test func aStalePidFileHarmsNobody() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        try await server.start()
        await server.stop()
        let stranger = try ChildProcess.start(ServerAccount.current().command(["sleep", "86400"]), output: 1)
        let text = "\(stranger.id)\n\(folder.layout.data)\n1700000000\n5432\n\(folder.layout.socket)\n\n0 0\nready   \n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: PostmasterFile.path(in: folder.layout.data)))
        #expect(try await server.start().scalar("SELECT 1 AS value") == "1")
        #expect(stranger.poll() == nil)
        kill(stranger.id, SIGKILL)
        _ = stranger.wait()
        await server.stop()
    }

    @Test func theServerStopsWhenItsParentIsKilled() async throws {
        let folder = try StateFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let server = StateFolder.server(path)
            try await server.start()
            kill(getpid(), SIGKILL)
        }
        #expect(FileManager.default.fileExists(atPath: folder.layout.data + "/PG_VERSION"))
        try await folder.untilQuiet()
        let server = folder.server()
        #expect(try await server.start().scalar("SELECT 1 AS value") == "1")
        await server.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
    func aNormalUserStartsItAsItself() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("own")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let nobody: uid_t = 65_534
        chown(path, nobody, nobody)
        await #expect(processExitsWith: .success) { [path = path as String, nobody = nobody as uid_t] in
            setgroups(0, nil)
            setgid(nobody)
            setuid(nobody)
            let server = StateFolder.server(path)
            let value = try await server.start().scalar("SELECT 'mine' AS value")
            await server.stop()
            exit(value == "mine" ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// Started like one whose parent died: nothing stops it.
    private func startOrphan(_ layout: ServerLayout) async throws -> pid_t {
        let binaries = try ServerBinaries.find(version: nil)
        let options = "-c listen_addresses= -c unix_socket_directories='\"\(layout.socket)\"'"
        let start = [
            binaries.folder + "/pg_ctl", "-D", layout.data, "-w", "-o", options, "-l", layout.root + "/orphan.log",
            "start",
        ]
        let words = try ServerAccount.current().command(start)
        #expect(try ChildProcess.start(words, output: 1).wait() == 0)
        return try #require(PostmasterFile(dataFolder: layout.data)).process
    }
}
