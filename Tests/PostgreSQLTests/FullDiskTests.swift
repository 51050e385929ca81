import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// A disk on which the server finds no room even for its log: it ends, and comes back by itself when there is room.
@Suite(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
struct FullDiskTests {
    private final class Mount {
        let path: String

        init(_ path: String, megabytes: Int) async throws {
            self.path = path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let options = "size=\(megabytes)m,mode=755"
            let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
            try #require(mounted.exitCode == 0, "\(mounted.errors)")
        }

        func end() async throws { _ = try await Shell.run("umount", ["-l", path]) }
    }

    /// Counts the lines that say that a start failed.
    private final class Failures: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock(\.self) }
        var logger: Logger { Logger(label: "test") { _ in Handler(failures: self) } }

        private struct Handler: LogHandler {
            let failures: Failures
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.error

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                if "\(event.message)".contains("cannot be started again") { failures.value.withLock { $0 += 1 } }
            }
        }
    }

    @Test func theServerComesBackWhenThereIsRoom() async throws {
        let folder = try TemporaryFolder()
        let mount = try await Mount(folder.path("state"), megabytes: 160)
        let failures = Failures()
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: mount.path)
        configuration.isDurable = false
        let server = EmbeddedPostgreSQL(configuration, logger: failures.logger)
        let target = try await server.start()
        try await target.scalar("CREATE TABLE part (n int)")
        try await target.scalar("INSERT INTO part VALUES (1)")
        let supervision = Task { try await server.supervise() }
        _ = try await Shell.run("sh", ["-c", "cat /dev/zero > \"$0\" 2> /dev/null", mount.path + "/ballast"])
        // Each switch needs a new segment of the log, for which there is no room soon.
        while failures.count == 0 {
            _ = try? await target.scalar("INSERT INTO part VALUES (1) RETURNING pg_switch_wal()::text AS value")
        }
        // More often than a start is tried for any other reason.
        try await waitUntil { failures.count > 6 }
        try FileManager.default.removeItem(atPath: mount.path + "/ballast")
        try await waitUntil { (try? await target.scalar("SELECT count(*)::text AS value FROM part")) != nil }
        supervision.cancel()
        try await supervision.value
        await server.stop()
        try await mount.end()
    }
}
