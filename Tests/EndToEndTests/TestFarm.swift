import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import WireProtocol

/// A coordinator and workers: processes of their own that end when this one does.
final class TestFarm: Sendable {
    let cutfarm: Cutfarm
    let address: String
    let coordinator: RunningProgram

    /// Folder of everything that the coordinator keeps.
    let state: String

    /// Of the coordinator and the workers, beside that of the test.
    private let environment: [String]

    /// - Parameters:
    ///   - name: two farms of one test do not share it.
    ///   - hasOwnDatabase: whether its PostgreSQL is private and lies in its state folder; else it uses the tests' one.
    ///   - database: the address of a database of the tests; nil makes a new one where there is no private one.
    ///   - keepsParts: whether jobs take parts that others made; else every job renders everything.
    ///   - options: more of the coordinator's arguments.
    ///   - environment: variables of the coordinator and the workers beside the test's own, as `NAME=value`.
    ///   - options: more options of the coordinator.
    init(
        _ cutfarm: Cutfarm,
        _ name: String = "farm",
        hasOwnDatabase: Bool = false,
        database: String? = nil,
        keepsParts: Bool = false,
        options: [String] = [],
        environment: [String] = []
    ) async throws {
        self.cutfarm = cutfarm
        self.environment = environment
        _ = try cutfarm.write(
            "tokens",
            "me view,submit,admin end-to-end-token-0123456789\nfarm worker end-to-end-worker-0123\n"
        )
        _ = try cutfarm.write("token", "end-to-end-token-0123456789")
        _ = try cutfarm.write("worker-token", "end-to-end-worker-0123")
        let folder = cutfarm.folder
        state = folder.path(name)
        var named: [String] = []
        if let database { named = ["--database-url", database] }
        if !hasOwnDatabase, database == nil {
            named = ["--database-url", try await TestPostgreSQL.shared.database().description]
        }
        let (said, log) = (folder.path(name + ".address"), folder.path(name + ".log"))
        // A coordinator before this one may have left its address.
        try? FileManager.default.removeItem(atPath: said)
        coordinator = try RunningProgram(
            "/usr/bin/env",
            environment + [
                Programs.cutfarm, "coordinator", "--state", state, "--port", "0", "--token-file", folder.path("tokens"),
                "--address-file", said, "--until-input-closes",
            ] + named + options + (keepsParts ? [] : ["--parts-limit", "0"]),
            log: log
        )
        address = try await TestFarm.address(said, coordinator, log: log)
    }

    /// - Parameters:
    ///   - relay: what the worker takes for the coordinator; nil is the coordinator itself.
    ///   - own: variables of this worker, as `NAME=value`.
    func worker(
        _ name: String,
        _ options: String...,
        through relay: String? = nil,
        environment own: [String] = []
    ) throws -> RunningProgram {
        try RunningProgram(
            "/usr/bin/env",
            environment + own + [
                Programs.cutfarm, "worker", "--coordinator", relay ?? address, "--token-file",
                cutfarm.folder.path("worker-token"), "--name", name, "--cache", cutfarm.folder.path("cache"),
                "--until-input-closes",
            ] + options,
            log: cutfarm.folder.path(name + ".log")
        )
    }

    /// A client's command, with this farm's address and the user's token.
    func run(_ arguments: String...) async throws -> Shell.Outcome {
        try await Shell.run(
            "env",
            [Programs.cutfarm] + arguments + ["--coordinator", address, "--token-file", cutfarm.folder.path("token")]
        )
    }

    func submit(_ edit: String, _ options: [String] = []) async throws -> JobID {
        let outcome = try await cutfarm.run(
            ["submit", edit, "--coordinator", address, "--token-file", cutfarm.folder.path("token")] + options
        )
        let word = outcome.text.split(separator: " ").first.map(String.init) ?? ""
        guard outcome.exitCode == 0, let id = JobID(text: word) else {
            throw Unexpected(description: "submit: \(outcome.errors)")
        }
        return id
    }

    func show(_ id: JobID) async throws -> JobReport {
        let outcome = try await run("show", id.description, "--json")
        guard outcome.exitCode == 0 else { throw Unexpected(description: "show: \(outcome.errors)") }
        return try WireJSON.decode(JobReport.self, from: outcome.output)
    }

    /// Asks until `condition` holds, however long it takes.
    /// - Throws: when the job ends without it.
    @discardableResult
    func wait(
        for id: JobID,
        until condition: (JobReport) -> Bool = { $0.job.state.isFinal }
    ) async throws -> JobReport {
        var report = try await show(id)
        try await waitUntil {
            if condition(report) { return true }
            guard !report.job.state.isFinal else {
                throw Unexpected(description: "job \(id) is \(report.job.state), and nothing else will happen to it")
            }
            report = try await show(id)
            return false
        }
        return report
    }

    /// Unfinished files of the coordinator and of workers that run.
    func unfinished() -> [String] {
        let cache = cutfarm.folder.path("cache")
        let works = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        let folders = works.filter { $0.hasPrefix("work-") }.map { cache + "/" + $0 }
        return (folders + [state + "/artifacts/incoming", state + "/artifacts/scratch"]).flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
    }

    /// SIGTERM to `programs` and then to the coordinator. - Throws: when one does not end with 0.
    func stop(_ programs: [RunningProgram] = []) async throws {
        for program in programs + [coordinator] where !program.hasEnded {
            program.send(SIGTERM)
            let code = try await program.wait()
            guard code == 0 else { throw Unexpected(description: "ended with \(code.map(String.init) ?? "nothing")") }
        }
    }

    private static func address(_ path: String, _ program: RunningProgram, log: String) async throws -> String {
        var said = Data()
        try await waitUntil {
            said = FileManager.default.contents(atPath: path) ?? Data()
            return said.last == UInt8(ascii: "\n") || program.hasEnded
        }
        if said.last == UInt8(ascii: "\n") {
            return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        throw Unexpected(description: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "no coordinator")
    }
}

/// What `cutfarm show --json` prints.
struct JobReport: Decodable {
    var job: JobView
    var tasks: [TaskView]

    var pictures: [TaskView] { tasks.filter { $0.kind == .picture } }

    /// Tasks that each worker completed, by its name; the stitch is the coordinator's.
    var shares: [String: Int] {
        let names = tasks.filter { $0.kind != .stitch }.compactMap { task in
            task.attempts.last { $0.state == .completed }?.workerName
        }
        return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }
}
