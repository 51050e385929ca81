import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct EmbeddedPostgreSQLTests {
    @Test func keepsWhatItHoldsFromStartToStart() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        let target = try await server.start()
        try await target.scalar("CREATE TABLE part AS SELECT 7 AS value")
        let running = await server.processID
        #expect(folder.processes.contains { $0 == running })
        #expect(try await target.scalar("SELECT current_setting('listen_addresses') AS value") == "")
        #expect(mode(folder.layout.root) == 0o700)
        #expect(mode(folder.layout.socket) == 0o700)
        await server.stop()
        #expect(folder.processes.isEmpty)
        #expect(try await server.start().scalar("SELECT value FROM part") == "7")
        await server.stop()
        let again = folder.server()
        #expect(try await again.start().scalar("SELECT value FROM part") == "7")
        await again.stop()
        #expect(folder.processes.isEmpty)
    }

    @Test func theSecondStarterIsTold() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        try await server.start()
        let error = await #expect(throws: EmbeddedError.self) { try await folder.server().start() }
        #expect(error?.code == .stateInUse)
        #expect(error?.message.contains(folder.path) == true)
        await server.stop()
    }

    @Test func aStartThatWasKilledHalfwayIsDoneAnew() async throws {
        let folder = try StateFolder()
        try folder.layout.create(for: .current())
        let half = folder.layout.unfinishedData
        try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: true)
        try Data("15".utf8).write(to: URL(fileURLWithPath: half + "/PG_VERSION"))
        let server = folder.server()
        #expect(try await server.start().scalar("SELECT 1 AS value") == "1")
        await server.stop()
    }

    /// The log goes on from start to start: what an earlier one met is not what ails this one.
    @Test func aDiskThatWasFullBeforeIsNotTheReason() async throws {
        let folder = try StateFolder()
        let account = try ServerAccount.current()
        try folder.layout.create(for: account)
        let old = "FATAL:  could not write to file: \(String(cString: strerror(ENOSPC)))\n"
        try Data(old.utf8).write(to: URL(fileURLWithPath: folder.layout.log))
        // No server starts on it: there is nothing in it but its version.
        try ServerLayout.makePrivate(folder.layout.data, for: account)
        let version = try ServerBinaries.find(version: nil).version
        try Data("\(version)\n".utf8).write(to: URL(fileURLWithPath: folder.layout.data + "/PG_VERSION"))
        let error = await #expect(throws: EmbeddedError.self) { try await folder.server().start() }
        #expect(error?.code == .notStarted)
        #expect(error?.message.contains("postgresql.conf") == true)
        #expect(error?.message.contains(String(cString: strerror(ENOSPC))) == false)
    }

    /// `sun_path` of unix(7) would not hold the socket's name.
    @Test func aLongPathGetsAShortSocketFolder() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(String(repeating: "long", count: 30) + " with 'quotes\" and spaces")
        let server = StateFolder.server(path)
        let target = try await server.start()
        let socket = try #require(try await target.scalar("SELECT current_setting('unix_socket_directories') AS value"))
            .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        #expect(ServerLayout.fits(socketFolder: socket))
        #expect(mode(socket) == 0o700)
        let supervision = Task { try await server.supervise() }
        let killed = try #require(await server.processID)
        kill(killed, SIGKILL)
        try await waitUntil { await server.processID != killed }
        // Where it was told to be, also after it was killed.
        #expect(try await target.scalar("SELECT 1 AS value") == "1")
        supervision.cancel()
        try await supervision.value
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(try await server.start().scalar("SELECT 1 AS value") == "1")
        await server.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "only root starts it as somebody else"))
    func aFolderThatTheServerMayNotEnterIsNamed() async throws {
        let folder = try TemporaryFolder()
        let closed = folder.path("closed")
        try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
        chmod(closed, 0o700)
        let error = await #expect(throws: EmbeddedError.self) {
            try await StateFolder.server(closed + "/state").start()
        }
        #expect(error?.code == .folderNotEnterable)
        #expect(error?.message.contains("chmod o+x \(closed)") == true)
    }

    @Test func missingProgramsAreOneSentence() {
        let error = #expect(throws: EmbeddedError.self) {
            try ServerBinaries.find(version: nil, root: "/nowhere", path: "/nowhere")
        }
        #expect(error?.code == .notInstalled)
        #expect(error?.message.contains("apt-get install postgresql") == true)
        let other = #expect(throws: EmbeddedError.self) { try ServerBinaries.find(version: 9) }
        #expect(other?.code == .otherVersion)
    }

    @Test func programsOnThePathAreFound() throws {
        let known = try ServerBinaries.find(version: nil)
        #expect(
            try ServerBinaries.find(version: known.version, root: "/nowhere", path: "/nowhere:\(known.folder)") == known
        )
    }

    @Test(arguments: [
        ("123\n/data\n1700000000\n5432\n/socket\n\n  1 2\nready   \n", true),
        ("123\n/data\n1700000000\n5432\n/socket\n\n  1 2\nstarting\n", false),
        ("123\n/data\n1700000000\n5432\n/socket\n", false),
    ])
    func thePidFileIsRead(text: String, isReady: Bool) {
        let file = PostmasterFile(text: text)
        #expect(file?.process == 123)
        #expect(file?.socketFolder == "/socket")
        #expect(file?.isReady == isReady)
    }

    @Test(arguments: ["", "123", "x\n/data\n1\n2\n/socket\n", "-1\n/data\n1\n2\n/socket\n"])
    func anUnfinishedPidFileIsNone(text: String) { #expect(PostmasterFile(text: text) == nil) }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
