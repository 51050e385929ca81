import ArgumentParser
import Client

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
        let connection = try farm.connect()
        let watcher = JobWatcher(connection: connection, display: ProgressDisplay(json: json))
        let id = try await id.job(of: connection)
        _ = try await Interruptible.run {
            do {
                return try await watcher.deliver(id, to: nil)
            } catch  where Task.isCancelled {
                throw CommandFailure(.interrupted, InterruptedWatch.sentence([id]))
            }
        }
    }
}
