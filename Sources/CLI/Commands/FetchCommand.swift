import ArgumentParser
import Client
import CompositionModel
import Farm
import WireProtocol

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a finished job's movie.",
        discussion: """
            The movie has its name once all of it is there and has the digest that the farm recorded. What a command that \
            was cut had fetched lies beside it as NAME.partial-DIGEST, and the same command goes on there.
            """
    )

    @Argument(help: ArgumentHelp("The job.", valueName: "id"), transform: JobArgument.init(argument:))
    var id: JobArgument
    @OptionGroup var farm: FarmOptions

    @Option(name: [.short, .customLong("output")], help: "Where the movie goes: a file, or a folder that is there.")
    var output: String

    @Flag(help: "Replace an output that exists.")
    var force = false

    func run() async throws {
        let connection = try farm.connect()
        let display = ProgressDisplay(json: false, quiet: true)
        let waiting = RetrySchedule.farm(for: .seconds(60))
        let job = try await waiting.run(on: connection.clock, onRetry: display.waiting) {
            try await connection.job(id.job(of: connection))
        }
        guard job.state == .completed else {
            let now = "Job \(job.id) is \(job.state.rawValue); there is no movie to fetch"
            throw job.state.isFinal
                ? CommandFailure(.jobFailed, now + ".") : CommandFailure(.conflict, now + " yet; watch it first.")
        }
        guard job.fileExtension != "stills" else {
            throw CommandFailure(.usage, "Job \(job.id) made stills, which \"cutfarm still\" writes where it is run.")
        }
        guard job.fileExtension != "measure" else {
            let command = "\"cutfarm \(job.preset)\" writes where it is run"
            throw CommandFailure(.usage, "Job \(job.id) measured its sound, which \(command).")
        }
        let path = try await waiting.run(on: connection.clock, onRetry: display.waiting) {
            try await self.path(of: job, connection)
        }
        try WrittenOutput(job.preset, file: nil).check(path)
        let file = try OutputFile(path: path, isForced: force)
        try await Interruptible.run {
            var watcher = JobWatcher(connection: connection, display: display)
            watcher.keepsPartialMovies = true
            try await watcher.fetch(job, to: file)
        }
        Console.error("Fetched \(path)")
    }

    /// The path of the movie; in a folder it has the name that `render -o FOLDER` would give it.
    private func path(of job: JobView, _ connection: CoordinatorConnection) async throws -> String {
        guard PlannedOutput.isExistingFolder(output) else { return output }
        let written = try await connection.outputSettings(of: job.id).file
        let name = MovieName.inFolder(written: written, title: job.title, fileExtension: job.fileExtension)
        return (output.hasSuffix("/") ? output : output + "/") + name
    }
}
