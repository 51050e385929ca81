import ArgumentParser
import Client

struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Let workers finish what they have and take nothing new."
    )

    @Argument(
        help: ArgumentHelp("The worker's id, or a name: then all workers of that name.", valueName: "worker"),
        transform: WorkerArgument.init(argument:)
    )
    var worker: WorkerArgument
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        for id in try await worker.workers(of: connection) {
            if try await worker.drain(id, of: connection) {
                Console.print("\(id) is draining")
            } else {
                Console.print("\(id) has left")
            }
        }
    }
}
