import ArgumentParser
import Client
import WireProtocol

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Let nothing new of jobs begin; what runs is finished and kept."
    )

    @OptionGroup var jobs: ControlledJobs

    func run() async throws { try await jobs.each { connection, id in try await connection.pause(id) } }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Let paused jobs go on.")

    @OptionGroup var jobs: ControlledJobs

    func run() async throws { try await jobs.each { connection, id in try await connection.resume(id) } }
}

struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Go on with jobs that failed: what is finished is kept."
    )

    @OptionGroup var jobs: ControlledJobs

    func run() async throws { try await jobs.each { connection, id in try await connection.retry(id) } }
}

struct PriorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "priority",
        abstract: "Give jobs another place among their owner's."
    )

    @Option(
        name: .customLong("to"),
        parsing: .unconditional,
        help: ArgumentHelp("The priority: higher goes first; 0 is normal.", valueName: "n")
    )
    var priority: Int

    @OptionGroup var jobs: ControlledJobs

    func validate() throws {
        guard Int32(exactly: priority) != nil else { throw ValidationError("--to takes a number of 32 bits.") }
    }

    func run() async throws {
        let order = PriorityOrder(priority: priority)
        try await jobs.each { connection, id in try await connection.prioritize(id, order) }
    }
}

/// The jobs that a command changes.
struct ControlledJobs: ParsableArguments {
    @Argument(help: ArgumentHelp("The jobs.", valueName: "id"), transform: JobArgument.init(argument:))
    var ids: [JobArgument]
    @OptionGroup var farm: FarmOptions

    /// Carries out `change` on each job, in order, and prints how it is then. A job that is refused stops no other.
    /// - Throws: ``CommandFailure`` of the first job that is refused; of several jobs, after the others, with its sentence
    ///   printed; a farm that cannot be reached, at once.
    func each(_ change: (CoordinatorConnection, JobID) async throws -> JobView) async throws {
        let connection = try farm.connect()
        var refusal: CommandFailure?
        for id in ids {
            do {
                let job = try await change(connection, id.job(of: connection))
                let paused = job.isPaused == true ? ", paused" : ""
                let order = job.state.isFinal ? "" : ", priority \(job.priority)"
                Console.print("\(job.id) \(job.state.rawValue)\(paused)\(order)")
            } catch {
                let failure = try CommandFailure.recognised(error)
                guard ids.count > 1, failure.status != ExitStatus.unreachable else { throw failure }
                for line in failure.lines { Console.error("\(id.text): \(line)") }
                refusal = refusal ?? failure
            }
        }
        if let refusal { throw CommandFailure(refusal.status) }
    }
}
