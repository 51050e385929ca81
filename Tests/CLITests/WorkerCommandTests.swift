import Foundation
import TestSupport
import Testing
import WireProtocol

/// How `cutfarm worker` ends when a farm does not want it.
@Suite struct WorkerCommandTests {
    @Test(
        arguments: [
            ("401 unauthorized", "/v1/workers"), ("409 version_mismatch", "/v1/workers"),
            ("403 forbidden", "/v1/leases:poll"),
        ]
    )
    func aRefusalIsItsLastWordAndExitCode3(line: String, path: String) async throws {
        let farm = try await ScriptedCoordinator()
        let worker = WorkerRegistered(
            worker: WorkerID(uuid: UUID()),
            leaseMilliseconds: 6000,
            heartbeatMilliseconds: 1500
        )
        try farm.server.serve(try WireJSON.encode(worker), at: "/v1/workers.reply")
        try farm.server.script([line], at: path)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let outcome = try await Shell.run(
            "env",
            [
                Programs.cutfarm, "worker", "--coordinator", farm.server.url, "--token-file", farm.folder.path("token"),
                "--cache", farm.folder.path("cache"),
            ]
        )
        #expect(outcome.exitCode == 3, "\(outcome.errors)")
        let last =
            line.hasPrefix("401")
            ? "The coordinator at \(farm.server.url) does not know this token; "
                + "say which one with --token-file or CUTFARM_TOKEN."
            : "Detail of \(line.prefix(3))."
        #expect(outcome.errors.split(separator: "\n").last.map(String.init) == last)
        let left = try FileManager.default.contentsOfDirectory(atPath: farm.folder.path("cache"))
        #expect(!left.contains { $0.hasPrefix("work-") })
    }
}
