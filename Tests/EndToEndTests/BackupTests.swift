import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

/// The commands of docs/operations.md save a farm while a job renders, and restore it elsewhere.
@Suite(.serialized) struct BackupTests {
    enum Database: String, CaseIterable, Sendable { case `private`, named }

    /// The block of commands of the guide that begins with `# TITLE`.
    private func commands(_ title: String) throws -> String {
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/operations.md")
        let blocks = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```")
        return try #require(blocks.first { $0.hasPrefix("sh\n# \(title)\n") }, "no commands “\(title)”")
            .replacing("sh\n", with: "", maxReplacements: 1)
    }

    private func run(_ title: String, state: String, backup: String, database: String?) async throws {
        let variables = ["STATE=" + state, "BACKUP=" + backup] + (database.map { ["DATABASE=" + $0] } ?? [])
        let shell = ["bash", "-euo", "pipefail", "-c", try commands(title)]
        let outcome = try await Shell.run("env", variables + shell)
        guard outcome.exitCode == 0 else { throw Unexpected(description: "\(title): \(outcome.errors)") }
    }

    private func movie(of job: JobID, from farm: TestFarm, as name: String) async throws -> Data {
        let path = farm.cutfarm.folder.path(name)
        let outcome = try await farm.run("fetch", job.description, "-o", path)
        guard outcome.exitCode == 0 else { throw Unexpected(description: "fetch: \(outcome.errors)") }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Finished movies are there, and the unfinished job goes on to the same bytes. Nothing that was completed before the
    /// backup is rendered again.
    @Test(arguments: TestSeeds.asked(Database.allCases, usual: [.private]))
    func aFarmIsRestored(_ kind: Database) async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 12, of: 12)
        func database() async throws -> String? {
            kind == .named ? try await TestPostgreSQL.shared.database().description : nil
        }
        let (old, new) = (try await database(), try await database())
        let farm = try await TestFarm(cutfarm, hasOwnDatabase: kind == .private, database: old)
        let worker = try farm.worker("one")
        let finished = try await farm.submit(edit, ["--range", "0s", "2s"])
        try await farm.wait(for: finished)
        let early = try await movie(of: finished, from: farm, as: "early.mp4")

        let unfinished = try await farm.submit(edit, ["--segments", "8"])
        try await farm.wait(for: unfinished) { $0.job.tasks.completed >= 2 }
        // While it stands the job cannot end, however long the backup takes.
        worker.send(SIGSTOP)
        let backup = cutfarm.folder.path("backup")
        try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
        try await run("save: \(kind) database", state: farm.state, backup: backup, database: old)
        worker.send(SIGCONT)
        #expect(try await farm.wait(for: unfinished).job.state == .completed)
        let late = try await movie(of: unfinished, from: farm, as: "late.mp4")
        try await farm.stop([worker])

        let state = cutfarm.folder.path("restored")
        try await run("restore: \(kind) database", state: state, backup: backup, database: new)
        let restored = try await TestFarm(cutfarm, "restored", hasOwnDatabase: kind == .private, database: new)
        #expect(try await movie(of: finished, from: restored, as: "early-again.mp4") == early)
        let before = try await restored.show(unfinished)
        #expect(!before.job.state.isFinal && before.job.tasks.completed >= 2, "\(before.job)")
        let successor = try restored.worker("two")
        let after = try await restored.wait(for: unfinished)
        #expect(after.job.state == .completed)
        #expect(try await movie(of: unfinished, from: restored, as: "late-again.mp4") == late)
        for task in before.tasks where task.state == .completed {
            #expect(after.tasks.first { $0.id == task.id }?.attempts == task.attempts, "rendered again")
        }
        try await restored.stop([successor])
    }
}
