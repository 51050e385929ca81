import ArgumentParser
import Client
import WireProtocol

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Cancel jobs.")

    @Argument(help: ArgumentHelp("The jobs.", valueName: "id"), transform: JobArgument.init(argument:))
    var ids: [JobArgument]
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        for id in ids {
            let job = try await connection.cancel(id.job(of: connection))
            Console.print("\(job.id) \(job.state.rawValue)")
        }
    }
}
