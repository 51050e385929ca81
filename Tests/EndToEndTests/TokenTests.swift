import Foundation
import TestSupport
import Testing
import WireProtocol

/// Tokens by command, on a farm of separate processes.
@Suite(.serialized)
struct TokenTests {
    /// What `cutfarm token` printed alone on standard output.
    private func secret(_ farm: TestFarm, _ arguments: [String]) async throws -> String {
        let outcome = try await farm.cutfarm.run(arguments: ["token"] + arguments, of: farm)
        guard outcome.exitCode == 0 else { throw Unexpected(description: outcome.errors) }
        return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A worker and a `watch` go on when their tokens are rotated and the old secrets end: they read their files again.
    @Test func aTokenIsRotatedWhileAWorkerAndAWatchUseIt() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 30, of: 30)
        let farm = try await TestFarm(cutfarm)
        func keep(_ name: String, _ secret: String) throws -> String { try cutfarm.write(name, secret + "\n") }
        let first = try await secret(farm, ["create", "render-1", "--scopes", "worker"])
        let watcher = try await secret(farm, ["create", "anna", "--scopes", "view", "--days", "2"])
        _ = try keep("worker-token", first)
        let watchToken = try keep("watch-token", watcher)
        let worker = try farm.worker("one")
        let job = try await farm.submit(edit, ["--segments", "16"])
        let watch = try RunningProgram(
            Programs.cutfarm,
            ["watch", job.description, "--coordinator", farm.address, "--token-file", watchToken],
            log: cutfarm.folder.path("watch.log")
        )
        try await farm.wait(for: job) { $0.job.tasks.completed >= 1 }
        #expect(try await farm.run("pause", job.description).exitCode == 0)
        for (name, file) in [("render-1", "worker-token"), ("anna", "watch-token")] {
            _ = try keep(file, try await secret(farm, ["rotate", name, "--overlap", "5s"]))
        }
        // Until their overlap ends, the old secrets open what they opened.
        for old in [first, watcher] { try await waitUntil { try await farm.get("/v1/jobs", as: old).status == 401 } }
        #expect(try await farm.show(job).job.state.isFinal == false)
        #expect(try await farm.run("resume", job.description).exitCode == 0)
        let report = try await farm.wait(for: job)
        #expect(report.job.state == .completed)
        #expect(try await watch.wait() == 0)
        let old = try await farm.get("/v1/jobs", as: watcher)
        #expect(old.status == 401 && old.code == "token_over")
        let log = try await farm.run("token", "log", "--json")
        let lines = try WireJSON.decode([TokenLogLine].self, from: log.output)
        #expect(lines.count { $0.action == .rotated && $0.who == "me" } == 2)
        #expect(lines.contains { $0.action == .used && $0.name == "render-1" && $0.address == "127.0.0.1" })
        #expect(lines.contains { $0.action == .refused && $0.name == "anna" })
        let table = try await farm.run("token", "list")
        #expect(table.text.contains("render-1") && !table.text.contains(first))
        // A revoked worker is told so, and ends.
        #expect(try await farm.run("token", "revoke", "render-1").exitCode == 0)
        #expect(try await worker.wait() == 3)
        try await farm.stop()
    }
}

extension Cutfarm {
    /// A client's command with the farm's address and the user's token.
    fileprivate func run(arguments: [String], of farm: TestFarm) async throws -> Shell.Outcome {
        try await Shell.run(
            "env",
            [Programs.cutfarm] + arguments + ["--coordinator", farm.address, "--token-file", folder.path("token")]
        )
    }
}
