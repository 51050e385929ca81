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

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let failed = try await farm.connect().jobs(limit: 500, states: [.failed])
        let jobs = failed.filter { $0.failure?.code == FarmFailure.taskQuarantined }
        guard !json else { return try JSONOutput.print(jobs) }
        guard !jobs.isEmpty else { return Console.print("No task is quarantined.") }
        for job in jobs { Console.print("\(job.id) “\(job.title.visible)”: \(job.failure?.message.visible ?? "")") }
        Console.print("cutfarm quarantine lift JOB tries one again.")
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
