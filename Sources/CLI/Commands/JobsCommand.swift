import ArgumentParser
import Client
import Foundation
import WireProtocol

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List a farm's jobs, newest first.",
        discussion: """
              cutfarm jobs --state failed
              cutfarm jobs --owner mia --search harbour
              cutfarm jobs --state queued,rendering --watch
              cutfarm jobs --state failed -q --limit 500 | xargs -r cutfarm retry
            """
    )

    @OptionGroup var farm: FarmOptions

    @Option(help: "Most jobs to list, 1 to 500.")
    var limit = 50

    @Option(
        help: ArgumentHelp(
            "Jobs in these states alone: \(JobState.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "state,…"
        )
    )
    var state: String?

    @Option(help: ArgumentHelp("Jobs of this owner alone.", valueName: "name"))
    var owner: String?

    @Option(help: ArgumentHelp("Jobs whose titles contain this.", valueName: "text"))
    var search: String?

    @Flag(help: "List them again every two seconds until interrupted.")
    var watch = false

    @Flag(help: "JSON on standard output.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print the jobs' ids and nothing else.")
    var quiet = false

    func validate() throws {
        guard (1...500).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 500.") }
        guard !watch || !json else { throw ValidationError("--watch is for people; read JSON again and again.") }
        guard !quiet || !(json || watch) else {
            throw ValidationError("--quiet prints ids alone; leave out --json and --watch.")
        }
        _ = try states()
    }

    func run() async throws {
        let connection = try farm.connect()
        guard watch else { return show(try await list(connection)) }
        try await Interruptible.run {
            while true {
                let jobs = try await list(connection)
                // On a terminal the table is drawn over the one before.
                let clearing = isatty(STDOUT_FILENO) == 1 ? "\u{1b}[H\u{1b}[2J" : ""
                Console.print(clearing + JobTable.text(jobs))
                try await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func show(_ jobs: [JobView]) {
        if json {
            try? JSONOutput.print(jobs)
        } else if quiet {
            for job in jobs { Console.print("\(job.id)") }
        } else {
            Console.print(JobTable.text(jobs))
        }
    }

    private func list(_ connection: CoordinatorConnection) async throws -> [JobView] {
        try await connection.jobs(limit: limit, states: states(), owner: owner, search: search)
    }

    private func states() throws -> [JobState] {
        try (state ?? "").split(separator: ",").map { name in
            guard let state = JobState(rawValue: String(name)) else {
                throw ValidationError("“\(name)” is no state of a job.")
            }
            return state
        }
    }
}
