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
        try await worker.each(of: connection, "is draining") { id throws(ClientError) in
            try await connection.drain(id)
        }
    }
}

struct UndrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undrain",
        abstract: "Let drained workers take work again, if they have not left yet."
    )

    @Argument(
        help: ArgumentHelp("The worker's id, or a name: then all workers of that name.", valueName: "worker"),
        transform: WorkerArgument.init(argument:)
    )
    var worker: WorkerArgument
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        try await worker.each(of: connection, "takes work again") { id throws(ClientError) in
            try await connection.undrain(id)
        }
    }
}
