import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

/// Data folders that are copied instead of made.
@Suite(.serialized) struct ServerTemplateTests {
    private let folder: TemporaryFolder
    private var place: String { folder.path("template") }

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
    }

    private func server(_ name: String) -> EmbeddedPostgreSQL {
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: folder.path(name))
        configuration.isDurable = false
        configuration.templateFolder = place
        return EmbeddedPostgreSQL(configuration, logger: quiet)
    }

    /// Starts a server of its own, looks what it is, stops it.
    private func identity(_ name: String) async throws -> String? {
        let server = server(name)
        let target = try await server.start()
        try await target.scalar("CREATE TABLE part AS SELECT 7 AS value")
        let found = try await target.scalar("SELECT system_identifier::text AS value FROM pg_control_system()")
        await server.stop()
        return found
    }

    private var templates: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: place).filter { $0 != "lock" } }
    }

    /// initdb draws the identifier: two that are equal were made by one.
    @Test func theSecondServerStartsOnACopy() async throws {
        let first = try await identity("first")
        #expect(try templates.count == 1)
        var status = stat()
        #expect(stat(place, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(try await identity("second") == first)
        #expect(try templates.count == 1)
    }

    @Test func serversThatStartTogetherMakeOne() async throws {
        let found = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 1...3 { group.addTask { try await identity("server \(number)") } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(try templates.count == 1)
    }

    /// A maker that was killed, and a program that was updated.
    @Test func whatIsUnfinishedOrOldIsNeverUsedAndGoes() async throws {
        _ = try await identity("first")
        let name = try #require(try templates.first)
        try FileManager.default.moveItem(atPath: place + "/" + name, toPath: place + "/new-0")
        try FileManager.default.copyItem(atPath: place + "/new-0", toPath: place + "/15-other")
        try FileManager.default.removeItem(atPath: place + "/new-0/global")
        _ = try await identity("second")
        #expect(try templates == [name])
    }

    @Test func aTemplateOnWhichNoServerStartsIsRemoved() async throws {
        let first = try await identity("first")
        let name = try #require(try templates.first)
        truncate(place + "/" + name + "/global/pg_control", 100)
        let second = try await identity("second")
        #expect(second != nil && second != first)
        #expect(try templates.isEmpty)
        let third = try await identity("third")
        #expect(try await identity("fourth") == third)
    }

    /// Damage of pg_class, of the database from which PostgreSQL makes others: a server starts all the same.
    @Test(arguments: [Data(), Data(repeating: 0xff, count: 8192)])
    func aTemplateOfWhichNoDatabaseIsMadeIsRemoved(damage: Data) async throws {
        let first = try await identity("first")
        let name = try #require(try templates.first)
        try damage.write(to: URL(fileURLWithPath: place + "/" + name + "/base/1/1259"))
        let second = try await identity("second")
        #expect(second != nil && second != first)
        #expect(try templates.isEmpty)
    }

    /// Also in the middle of making the template, of copying it, of starting on the copy.
    @Test(arguments: [nil] + StartStep.allCases)
    func aStartThatIsCancelledLeavesNoHalfOfOne(step: StartStep?) async throws {
        let server = server("first")
        let start = Task { try await server.start() }
        let layout = ServerLayout(stateFolder: folder.path("first"))
        try await waitUntil { step?.isReached(in: layout) ?? ((try? templates.isEmpty) == false) }
        start.cancel()
        _ = await start.result
        await server.stop()
        let second = try await identity("second")
        #expect(try await identity("third") == second)
        let names = try templates
        #expect(names.count == 1 && names.allSatisfy { !$0.hasPrefix("new-") })
    }

    /// Somebody else may hold the lock for as long as making one takes him.
    @Test func aStartThatWaitsForATemplateCanBeCancelled() async throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let lock = open(place + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let server = server("first")
        let start = Task { try await server.start() }
        // Beside this test's own.
        try await waitUntil { openings(of: place + "/lock") == 2 }
        start.cancel()
        let error = await #expect(throws: EmbeddedError.self) { try await start.value }
        #expect(error?.code == .cancelled)
        // The wait itself ended, not only the start that went on without a template.
        let template = ServerTemplate(
            folder: place,
            account: try .current(),
            binaries: try .find(version: nil),
            options: [],
            boot: "this"
        )
        let waiting = #expect(throws: EmbeddedError.self) {
            try template.copy(to: folder.path("copy"), isCancelled: { true }, run: { _ in 0 })
        }
        #expect(waiting?.code == .cancelled)
    }

    /// How often this process has the file open.
    private func openings(of path: String) -> Int {
        let manager = FileManager.default
        let descriptors = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count { (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
    }

    @Test func withoutAPlaceForATemplateTheDatabaseIsMade() async throws {
        try Data("in the way".utf8).write(to: URL(fileURLWithPath: place))
        #expect(try await identity("first") != nil)
    }

    /// What must outlive a crash of the machine is not a copy that nobody saw to the disk.
    @Test func aDurableServerUsesNone() async throws {
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: folder.path("durable"))
        configuration.templateFolder = place
        let server = EmbeddedPostgreSQL(configuration, logger: quiet)
        try await server.start()
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test func eachProgramAndEachWayOfMakingHasItsOwn() throws {
        let account = try ServerAccount.current()
        let binaries = try ServerBinaries.find(version: nil)
        func path(_ binaries: ServerBinaries, _ options: [String], boot: String = "this") -> String {
            ServerTemplate(folder: place, account: account, binaries: binaries, options: options, boot: boot).path
        }
        let programs = folder.path("bin")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        for name in ["initdb", "postgres"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: programs + "/" + name))
        }
        let other = ServerBinaries(folder: programs, version: binaries.version)
        let before = path(other, ["-A", "trust"])
        try Data("updated".utf8).write(to: URL(fileURLWithPath: programs + "/postgres"))
        let paths = [
            before, path(other, ["-A", "trust"]), path(binaries, ["-A", "trust"]), path(binaries, ["-A", "md5"]),
            path(ServerBinaries(folder: binaries.folder, version: 9), ["-A", "trust"]),
            // What was not seen to the disk may be there in part after a crash of the machine.
            path(binaries, ["-A", "trust"], boot: "next"),
        ]
        #expect(Set(paths).count == paths.count)
        #expect(path(binaries, ["-A", "trust"]) == paths[2])
    }
}
