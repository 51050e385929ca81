import ArgumentParser
import CompositionModel
import EditLanguage
import Foundation

/// `cutfarm`: the command line, the coordinator and the worker in one program.
@main
struct CutfarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutfarm",
        abstract: "A render farm for edits: the same movie, frame for frame, on one machine or on a hundred.",
        discussion: """
            An edit is a JSON file of clips, transitions and sound (docs/edit-format.md). To render one on this machine:

              cutfarm render edit.json -o movie.mp4

            To run a farm, start a coordinator, then workers anywhere, then submit edits:

              cutfarm coordinator --token-file tokens
              cutfarm worker --coordinator http://127.0.0.1:7411 --token-file worker-token
              cutfarm login http://127.0.0.1:7411
              cutfarm submit edit.json --watch -o movie.mp4

            What is wrong, and what goes on:

              cutfarm doctor                      what this machine lacks
              cutfarm jobs --state failed         also --owner, --search, --watch
              cutfarm show 019f3a                 a job's id may be cut short
              cutfarm logs 019f3a -f              what FFmpeg says

            Exit codes:

                0  done
                1  internal error
                2  bad input or usage
                3  not allowed
                4  job failed or cancelled
                5  coordinator unreachable
                6  output exists, or the job to fetch still runs
                7  no space
              130  interrupted
              141  whoever reads standard output went away
            """,
        version: CutfarmVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Look before you render:",
                subcommands: [
                    CheckCommand.self, ExplainCommand.self, PlanCommand.self, ProbeCommand.self, SchemaCommand.self,
                    PresetsCommand.self, TransitionsCommand.self,
                ]
            ),
            CommandGroup(name: "Render here:", subcommands: [RenderCommand.self, ExportCommand.self]),
            CommandGroup(
                name: "Take frames and samples:",
                subcommands: [StillCommand.self, ReadCommand.self, WaveformCommand.self, LoudnessCommand.self]
            ),
            CommandGroup(
                name: "Set up:",
                subcommands: [DoctorCommand.self, LoginCommand.self, LogoutCommand.self, OpenCommand.self]
            ),
            CommandGroup(
                name: "Run a farm:",
                subcommands: [CoordinatorCommand.self, WorkerCommand.self, HealthCommand.self]
            ),
            CommandGroup(
                name: "Use a farm:",
                subcommands: [
                    SubmitCommand.self, JobsCommand.self, ShowCommand.self, WatchCommand.self, LogsCommand.self,
                    ReportCommand.self, CancelCommand.self,
                    WatchFolderCommand.self,
                    PauseCommand.self, ResumeCommand.self, RetryCommand.self, PriorityCommand.self,
                    FetchCommand.self, PartsCommand.self, WorkersCommand.self, DrainCommand.self,
                    UndrainCommand.self, BlockCommand.self, UnblockCommand.self, QuarantineCommand.self,
                    TokenCommand.self, WebhooksCommand.self, PruneCommand.self,
                ]
            ),
        ]
    )

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Foundation.exit(status.rawValue)
    }

    /// Runs the command that the arguments name.
    /// - Returns: the status with which the process exits.
    private static func run(_ arguments: [String]) async -> ExitStatus {
        do {
            if let failure = unknownCommand(arguments) { throw failure }
            var command = try parseAsRoot(NegativeTimes.passed(arguments))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            if let unwritten = Console.unwritten { throw unwritten }
            return .success
        } catch {
            return report(error)
        }
    }

    /// The failure of a first word that is no command, which ArgumentParser would report as unexpected arguments.
    /// - Returns: nil for a command, an option, or no word at all.
    static func unknownCommand(_ arguments: [String]) -> CommandFailure? {
        let names = configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
        guard let word = arguments.first, !word.hasPrefix("-"), !(names + ["help"]).contains(word) else { return nil }
        let nearest = Spelling.nearest(to: word, in: names).map { "; did you mean `cutfarm \($0)`?" } ?? "."
        return CommandFailure(.usage, "There is no command “\(word)”\(nearest)", "`cutfarm --help` lists all.")
    }

    /// Prints what went wrong, on the stream where it belongs.
    /// - Returns: the status with which the process exits.
    private static func report(_ error: any Error) -> ExitStatus {
        if let failure = error as? CommandFailure ?? CommandFailure(recognising: error) {
            for line in failure.lines { Console.error(line) }
            return failure.status
        }
        let code = exitCode(for: error)
        guard code.isSuccess || code == .validationFailure else {
            Console.error("cutfarm: internal error: \(error)")
            return .internalError
        }
        let message = fullMessage(for: error)
        guard code.isSuccess else {
            Console.error(message)
            return .usage
        }
        Console.print(message)
        return Console.unwritten.map(report) ?? .success
    }
}
