import ArgumentParser
import Client
import Foundation
import WireProtocol

struct BlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Let workers of a name take nothing new, also those that start later.",
        discussion: """
            They finish what they have and leave, and are refused when they register again. What they made stays as it is; \
            `cutfarm parts withdraw --worker NAME` has it rendered again. An audit blocks a faulty machine by itself. \
            `cutfarm workers` lists who is blocked.

              cutfarm block node-7 --reason "its memory is being replaced"
            """
    )

    @Argument(help: ArgumentHelp("The workers' name; none of them need be here.", valueName: "name"))
    var name: String
    @Option(help: ArgumentHelp("What to show people who wonder.", valueName: "text"))
    var reason: String
    @OptionGroup var farm: FarmOptions

    func validate() throws {
        guard reason.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--reason is empty; say in a few words why, for people who wonder.")
        }
    }

    func run() async throws {
        let blocked = try await farm.connect().block(WorkerBlock(name: name, reason: reason))
        Console.print(
            "“\(blocked.name.visible)” is blocked; cutfarm unblock \(ShellText.quoted(blocked.name)) lifts it."
        )
    }
}

struct UnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract:
            "Let workers of a name take work again that were blocked by somebody, an audit, or for what they failed.",
        discussion: """
            Workers that were refused meanwhile have ended; start them again. After an audit, test the machine's memory first: \
            its parts of later jobs would be as wrong.
            """
    )

    @Argument(help: ArgumentHelp("The workers' name.", valueName: "name"))
    var name: String
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        try await farm.connect().unblock(WorkerUnblock(name: name))
        Console.print("“\(name.visible)” may take work again.")
    }
}
