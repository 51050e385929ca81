import ArgumentParser
import Client

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Say whether a coordinator is ready for work; exit 5 when it is not.",
        discussion: """
            Asks whether its database answers, its folder can be written and its disk has room. It needs no token, and is \
            meant for supervisors and containers.

              cutfarm health --coordinator http://farm:7411
            """
    )

    @Option(
        help: ArgumentHelp(
            "Address of the coordinator; else CUTFARM_COORDINATOR, that of `cutfarm login`, or \(FarmOptions.nearest).",
            valueName: "url"
        )
    )
    var coordinator: String?

    func run() async throws {
        let address = try FarmOptions.coordinator(named: coordinator, hasToken: true)
        let connection = try CoordinatorConnection(baseURL: address, token: "", allowInsecureToken: true)
        do throws(ClientError) {
            try await connection.requireReady()
        } catch {
            throw CommandFailure(.unreachable, "\(error)")
        }
        Console.print("ready")
    }
}
