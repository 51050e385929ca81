import ArgumentParser
import Client
import Foundation
import Shared

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workers", abstract: "List a farm's workers.")

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let workers = try await farm.connect().workers()
        guard !json else { return try JSONOutput.print(workers) }
        let rows = workers.map { worker in
            [
                worker.id.description, worker.name, worker.isDraining ? "draining" : "taking work",
                "\(worker.running) of \(worker.slots)", "\(worker.completed)", "\(worker.failed)",
                "\(Int(worker.secondsSinceSeen)) s",
            ]
        }
        Console.print(TextTable(["worker", "name", "state", "running", "done", "failed", "seen"], rows).text)
    }
}

struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Let a worker finish what it has and take nothing new."
    )

    @Argument(help: ArgumentHelp("The worker.", valueName: "id"), transform: WorkerArgument.init(argument:))
    var id: WorkerArgument
    @OptionGroup var farm: FarmOptions

    func run() async throws {
        try await farm.connect().drain(id.worker)
        Console.print("\(id.worker) is draining")
    }
}

/// A worker's id on the command line.
struct WorkerArgument: Sendable {
    let worker: WorkerID

    /// - Throws: `ValidationError` that says what an id looks like.
    init(argument: String) throws {
        guard let worker = WorkerID(text: argument) else {
            throw ValidationError("a worker's id is wrk_ and a UUID; `cutfarm workers` lists them.")
        }
        self.worker = worker
    }
}
