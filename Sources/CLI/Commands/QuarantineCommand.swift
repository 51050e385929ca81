import ArgumentParser
import Client
import CompositionModel
import Farm
import Foundation
import WireProtocol

struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List jobs of which a task stopped worker after worker and is not tried again, and let them go on.",
        discussion: """
            A task that stopped three workers, or any five times, is quarantined, and its job has failed. Find out why first: \
            `cutfarm logs JOB` has what the render processes said. Workers that are kept off are listed by `cutfarm workers`.

              cutfarm quarantine
              cutfarm quarantine lift job_018f
            """,
        subcommands: [QuarantineListCommand.self, QuarantineLiftCommand.self],
        defaultSubcommand: QuarantineListCommand.self
    )
}

struct QuarantineListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the quarantined tasks of the 500 jobs that failed last."
    )

    @OptionGroup var options: ListOptions

    func run() async throws {
        let failed = try await options.farm.connect().jobs(limit: 500, states: [.failed])
        try options.print(Self.quarantined(failed), Self.text)
    }

    /// Those of the failed jobs that failed because a task is quarantined.
    static func quarantined(_ failed: [JobView]) -> [JobView] {
        failed.filter { $0.failure?.code == FarmFailure.taskQuarantined }
    }

    /// What people read of quarantined jobs: a line for each, and what to do.
    static func text(_ jobs: [JobView]) -> String {
        guard !jobs.isEmpty else { return "No task is quarantined." }
        let lines = jobs.map { "\($0.id) “\($0.title.visible)”: \($0.failure?.message.visible ?? "")" }
        return (lines + ["cutfarm quarantine lift JOB tries one again."]).joined(separator: "\n")
    }
}

struct QuarantineLiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift",
        abstract: "Try quarantined tasks again; what was accepted of their jobs is kept. The same as `cutfarm retry`."
    )

    @OptionGroup var jobs: ControlledJobs

    func run() async throws {
        try await jobs.each { connection, id in try await connection.retry(id) }
    }
}
