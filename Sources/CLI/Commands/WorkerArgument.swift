import ArgumentParser
import Client
import Foundation
import WireProtocol

/// A worker's identifier on the command line, or a name that several may have.
enum WorkerArgument: Sendable, Hashable {
    case id(WorkerID)
    case name(String)

    /// Reads the argument.
    /// - Throws: `ValidationError` that says what an identifier looks like.
    init(argument: String) throws {
        if let worker = WorkerID(text: argument) {
            self = .id(worker)
        } else if argument.isEmpty || argument.hasPrefix("wrk_") {
            throw ValidationError("a worker's id is wrk_ and a UUID; `cutfarm workers` lists ids and names.")
        } else {
            self = .name(argument)
        }
    }

    /// Does something to each of ``workers(of:)``, and prints what came of it.
    /// - Parameter outcome: what is said of a worker to which it was done. One of several with the name that has left
    ///   since they were listed is said to have left.
    /// - Throws: `ClientError`; ``CommandFailure`` when no worker has the name.
    func each(
        of connection: CoordinatorConnection,
        _ outcome: String,
        _ action: (WorkerID) async throws(ClientError) -> Void
    ) async throws {
        for worker in try await workers(of: connection) {
            do throws(ClientError) {
                try await action(worker)
                Console.print("\(worker) \(outcome)")
            } catch {
                guard case .name = self, case .problem(let problem) = error, problem.status == 404 else { throw error }
                Console.print("\(worker) has left")
            }
        }
    }

    /// The workers that the argument names.
    /// - Throws: ``CommandFailure`` when no worker has the name; `ClientError`.
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
