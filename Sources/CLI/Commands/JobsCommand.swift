import ArgumentParser
import Client

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "jobs", abstract: "List a farm's jobs, newest first.")

    @OptionGroup var farm: FarmOptions

    @Option(help: "Most jobs to list.")
    var limit = 50

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let jobs = try await farm.connect().jobs(limit: limit)
        guard !json else { return try JSONOutput.print(jobs) }
        Console.print(JobTable.text(jobs))
    }
}
