import ArgumentParser
import Client
import Foundation
import WireProtocol

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Show what FFmpeg and the render processes said about a job's tasks.",
        discussion: """
            Of a whole job it shows the attempts that failed or are under way. The coordinator keeps the last 200 lines, \
            16 KiB, of each attempt.

              cutfarm logs 019f3a
              cutfarm logs 019f3a/12          one task, by its number in `cutfarm show`
              cutfarm logs 019f3a -f          follow until the job ends
            """
    )

    @Argument(
        help: ArgumentHelp("The job, or the job, a slash and a task's number.", valueName: "id"),
        transform: LoggedWork.init(argument:)
    )
    var what: LoggedWork
    @OptionGroup var farm: FarmOptions

    @Flag(name: [.customShort("f"), .long], help: "Go on with new lines until the job ends.")
    var follow = false

    @Flag(help: "Each line as JSON on standard output.")
    var json = false

    func run() async throws {
        let connection = try farm.connect()
        let id = try await what.job.job(of: connection)
        var reader = LogReader(connection: connection, job: id, number: what.number, json: json)
        guard follow else {
            try await reader.readOnce(unlessAny: "Nothing failed and nothing is under way; name a task, as \(id)/1.")
            return
        }
        _ = try await Interruptible.run { [reader] in
            var reader = reader
            try await reader.followToEnd()
        }
    }
}

/// A job, or one of its tasks, on the command line.
struct LoggedWork: Sendable {
    let job: JobArgument
    /// The number of the task, from 1; nil means the whole job.
    let number: Int?

    /// Reads `JOB` or `JOB/NUMBER`.
    /// - Throws: `ValidationError` that says what is expected.
    init(argument: String) throws {
        let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        job = try JobArgument(argument: String(parts[0]))
        guard parts.count == 2 else {
            number = nil
            return
        }
        guard let number = Int(parts[1]), number > 0 else {
            throw ValidationError("behind the slash comes a task's number, from 1, as `cutfarm show` lists them.")
        }
        self.number = number
    }
}
