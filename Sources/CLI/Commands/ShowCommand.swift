import ArgumentParser
import Client
import CompositionModel
import Planning
import WireProtocol

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
        let job = try await connection.job(id.job(of: connection))
        let tasks = try await connection.tasks(of: job.id)
        guard !json else { return try JSONOutput.print(JobReport(job: job, tasks: tasks)) }
        Console.print(JobTable.text([job]))
        if let delivery = job.delivery { Console.print(delivery.words) }
        if let failure = job.failure { Console.print("Failed: \(failure.message)") }
        for line in job.copying?.lines(of: job.frameCount) ?? [] { Console.print(line) }
        for line in job.copying?.sound?.lines ?? [] { Console.print(line) }
        if let required = job.requirements {
            Console.print("Requires \(required.map(\.text).joined(separator: ", ")).")
        }
        if let audit = job.audit { Console.print("Audit of \(audit.share.text): \(audit.words).") }
        if let words = job.takenWords { Console.print("\(words).") }
        if job.isPruned == true {
            Console.print("Its tasks are no longer kept: its owner has many jobs that ended after it.")
        }
        Console.print(TaskTable.text(tasks))
        for line in TaskTable.warnings(tasks) { Console.print(line) }
    }

    private struct JobReport: Encodable {
        let job: JobView
        let tasks: [TaskView]
    }
}
