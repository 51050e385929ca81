import ArgumentParser
import Client
import Foundation
import WireProtocol

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
                worker.id.description, worker.name, worker.stateWord,
                "\(worker.running) of \(worker.slots)", "\(worker.completed)", "\(worker.failed)",
                "\(Int(worker.secondsSinceSeen)) s",
            ]
        }
        Console.print(TextTable(["worker", "name", "state", "running", "done", "failed", "seen"], rows).text)
    }
}

extension WorkerView {
    /// A lease: who is not heard of for so long has lost what it had. As on the dashboard.
    private static let secondsToLost = 6.0

    fileprivate var stateWord: String {
        if secondsSinceSeen > WorkerView.secondsToLost { return "lost" }
        return isDraining ? "draining" : "taking work"
    }
}

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

/// A worker's id on the command line, or the name that several may have.
enum WorkerArgument: Sendable, Hashable {
    case id(WorkerID)
    case name(String)

    /// - Throws: `ValidationError` that says what an id looks like.
    init(argument: String) throws {
        if let worker = WorkerID(text: argument) {
            self = .id(worker)
        } else if argument.isEmpty || argument.hasPrefix("wrk_") {
            throw ValidationError("a worker's id is wrk_ and a UUID; `cutfarm workers` lists ids and names.")
        } else {
            self = .name(argument)
        }
    }

    /// Lets one of ``workers(of:)`` finish what it has.
    /// - Returns: false when it is one of several by name, and has left since they were listed.
    /// - Throws: `ClientError`.
    func drain(_ worker: WorkerID, of connection: CoordinatorConnection) async throws -> Bool {
        do throws(ClientError) {
            try await connection.drain(worker)
            return true
        } catch {
            guard case .name = self, case .problem(let problem) = error, problem.status == 404 else { throw error }
            return false
        }
    }

    /// - Throws: ``CommandFailure`` when nobody has the name; `ClientError`.
    func workers(of connection: CoordinatorConnection) async throws -> [WorkerID] {
        switch self {
        case .id(let worker): return [worker]
        case .name(let name):
            let workers = try await connection.workers().filter { $0.name == name }
            guard !workers.isEmpty else {
                throw CommandFailure(.usage, "There is no worker “\(name)”; `cutfarm workers` lists ids and names.")
            }
            return workers.map(\.id)
        }
    }
}
