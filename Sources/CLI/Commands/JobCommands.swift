import CompositionModel
import ArgumentParser
import Client
import Foundation
import WireProtocol

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

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one job: its state, its tasks, who rendered what."
    )

    @Argument(help: ArgumentHelp("The job.", valueName: "id"), transform: JobArgument.init(argument:))
    var id: JobArgument
    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let connection = try farm.connect()
        let job = try await connection.job(id.job)
        let tasks = try await connection.tasks(of: id.job)
        guard !json else { return try JSONOutput.print(JobReport(job: job, tasks: tasks)) }
        Console.print(JobTable.text([job]))
        if let failure = job.failure { Console.print("Failed: \(failure.message)") }
        Console.print(TaskTable.text(tasks))
        for line in TaskTable.warnings(tasks) { Console.print(line) }
    }

    private struct JobReport: Encodable {
        let job: JobView
        let tasks: [TaskView]
    }
}

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow a job to its end; exit 4 when it failed or was cancelled."
    )

    @Argument(help: ArgumentHelp("The job.", valueName: "id"), transform: JobArgument.init(argument:))
    var id: JobArgument
    @OptionGroup var farm: FarmOptions

    @Flag(help: "Progress as JSON lines on standard output.")
    var json = false

    func run() async throws {
        let watcher = JobWatcher(connection: try farm.connect(), display: ProgressDisplay(json: json))
        let id = id.job
        _ = try await Interruptible.run {
            do {
                return try await watcher.deliver(id, to: nil)
            } catch  where Task.isCancelled {
                throw CommandFailure(.interrupted, InterruptedWatch.sentence([id]))
            }
        }
    }
}

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Cancel jobs.")

    @Argument(help: ArgumentHelp("The jobs.", valueName: "id"), transform: JobArgument.init(argument:))
    var ids: [JobArgument]
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        for id in ids {
            let job = try await connection.cancel(id.job)
            Console.print("\(job.id) \(job.state.rawValue)")
        }
    }
}

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fetch", abstract: "Fetch a finished job's movie.")

    @Argument(help: ArgumentHelp("The job.", valueName: "id"), transform: JobArgument.init(argument:))
    var id: JobArgument
    @OptionGroup var farm: FarmOptions

    @Option(name: [.short, .customLong("output")], help: "Where the movie goes: a file, or a folder that is there.")
    var output: String

    @Flag(help: "Replace an output that exists.")
    var force = false

    func run() async throws {
        let connection = try farm.connect()
        let job = try await connection.job(id.job)
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
        let path = try await path(of: job, connection)
        try WrittenOutput(job.preset, file: nil).check(path)
        let file = try OutputFile(path: path, isForced: force)
        try await Interruptible.run {
            let watcher = JobWatcher(connection: connection, display: ProgressDisplay(json: false, quiet: true))
            try await watcher.fetch(job, to: file)
        }
        Console.error("Fetched \(path)")
    }

    /// In a folder the movie is called as `render -o FOLDER` would call it.
    private func path(of job: JobView, _ connection: CoordinatorConnection) async throws -> String {
        guard PlannedOutput.isExistingFolder(output) else { return output }
        let written = try await connection.outputSettings(of: job.id).file
        let name = MovieName.inFolder(written: written, title: job.title, fileExtension: job.fileExtension)
        return output + "/" + name
    }
}

/// A job's id on the command line.
struct JobArgument: Sendable {
    let job: JobID

    /// - Throws: `ValidationError` that says what an id looks like.
    init(argument: String) throws {
        guard let job = JobID(text: argument) else {
            throw ValidationError("a job's id is job_ and a UUID; `cutfarm jobs` lists them.")
        }
        self.job = job
    }
}
