import ArgumentParser
import Client
import Foundation
import Storage
import WireProtocol

struct PartsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "List and remove the rendered parts that are kept for later versions of an edit.",
        discussion: """
            A job takes every part that an earlier job made of the same frames, sources and settings. Without --here \
            these are the farm's parts, with it those of `cutfarm render` on this machine.

              cutfarm parts
              cutfarm parts --here
              cutfarm parts prune --keep 5 --here
              cutfarm parts withdraw --worker render-07
            """,
        subcommands: [PartsListCommand.self, PartsPruneCommand.self, PartsWithdrawCommand.self],
        defaultSubcommand: PartsListCommand.self
    )
}

/// Where the parts are that a command is about: the farm's, or those of this machine.
struct PartsPlace: ParsableArguments {
    @OptionGroup var farm: FarmOptions

    @Flag(help: "The parts of `cutfarm render` on this machine.")
    var here = false

    @Option(help: ArgumentHelp("State folder of `cutfarm render`, with --here.", valueName: "folder"))
    var state: String?

    func validate() throws {
        guard !here || farm.namedCoordinator == nil else {
            throw ValidationError("--coordinator is about a farm, not --here.")
        }
        guard here || state == nil else { throw ValidationError("--state is about this machine; add --here.") }
    }

    /// The shelf of this machine; nil where no run has kept anything.
    /// - Throws: ``CommandFailure`` when it cannot be read.
    func shelf() throws -> PartShelf? { try LocalParts.existingShelf(stateFolder: StateFolder.place(state)) }
}

struct PartsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the parts, the most recently used first, and what they saved."
    )

    @OptionGroup var place: PartsPlace

    @Option(help: ArgumentHelp("The most parts to list, 0 to 1000.", valueName: "n"))
    var limit = 20

    @Flag(help: "JSON on standard output.")
    var json = false

    func validate() throws {
        guard (0...1000).contains(limit) else { throw ValidationError("--limit takes a number from 0 to 1000.") }
    }

    func run() async throws {
        let list =
            place.here
            ? try LocalParts.list(place.shelf(), limit: limit) : try await place.farm.connect().parts(limit: limit)
        guard !json else { return try JSONOutput.print(list) }
        Console.print(PartTable.text(list))
    }
}

struct PartsPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove parts on which no unfinished job counts."
    )

    @OptionGroup var place: PartsPlace

    @Option(help: ArgumentHelp("Gigabytes that may stay; the least recently used parts go.", valueName: "GB"))
    var keep: Int?

    @Option(help: ArgumentHelp("Remove what was not used for so many days.", valueName: "days"))
    var unused: Int?

    @Option(help: ArgumentHelp("Remove what workers of this name made.", valueName: "name"))
    var worker: String?

    @Flag(help: "JSON on standard output.")
    var json = false

    func validate() throws {
        guard [keep != nil, unused != nil, worker != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Say what to remove: --keep, --unused or --worker, one of them.")
        }
        guard (0...1_000_000).contains(keep ?? 0) else { throw ValidationError("--keep takes 0 to 1000000.") }
        guard (0...20_000).contains(unused ?? 0) else { throw ValidationError("--unused takes 0 to 20000 days.") }
        guard !place.here || worker == nil else { throw ValidationError("--worker is about a farm, not --here.") }
    }

    func run() async throws {
        let bytes = keep.map { Int64($0) * 1_000_000_000 }
        let seconds = unused.map { Int64($0) * 86_400 }
        let parts: [PartView]
        if place.here {
            let since = seconds.map { Date(timeIntervalSinceNow: -Double($0)) }
            parts = try LocalParts.views(place.shelf()?.prune(to: bytes ?? .max, unusedSince: since) ?? [])
        } else {
            let order = PartPruning(keepBytes: bytes, unusedSeconds: seconds, worker: worker)
            parts = try await place.farm.connect().prune(order).parts
        }
        guard !json else { return try JSONOutput.print(parts) }
        Console.print("Removed \(PartTable.summary(parts)).")
    }
}

struct PartsWithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract:
            "Take back what a worker made, and what was made by what it measured; unfinished jobs render it again.",
        discussion: "Drain the worker first (cutfarm drain): what it is making now is accepted all the same."
    )

    @Option(help: ArgumentHelp("The worker's name.", valueName: "name"))
    var worker: String

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let removal = try await farm.connect().withdraw(PartWithdrawal(worker: worker))
        guard !json else { return try JSONOutput.print(removal) }
        let count = removal.tasks.count
        let again =
            switch count {
            case 0: "no unfinished job counted on them"
            case 1: "1 task runs again"
            default: "\(count) tasks run again"
            }
        Console.print("Withdrew \(PartTable.summary(removal.parts)); \(again).")
    }
}
