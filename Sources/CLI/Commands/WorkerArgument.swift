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
    /// - Parameter outcome: what is said of a worker to which it was done. Of several with one name, that one has left since
    ///   they were listed, or cannot be treated so, is said of it and hinders no other.
    /// - Throws: `ClientError`; ``CommandFailure`` when no worker has the name, or it could be done to none that has it.
    func each(
        of connection: CoordinatorConnection,
        _ outcome: String,
        _ action: (WorkerID) async throws(ClientError) -> Void
    ) async throws {
        var (count, refusal) = (0, ClientError?.none)
        for worker in try await workers(of: connection) {
            do throws(ClientError) {
                try await action(worker)
                Console.print("\(worker) \(outcome)")
                count += 1
            } catch {
                guard case .name = self, case .problem(let problem) = error else { throw error }
                switch problem.status {
                case 404: Console.print("\(worker) has left")
                case 409:
                    Console.print("\(worker): \(problem.detail)")
                    refusal = error
                default: throw error
                }
            }
        }
        if count == 0, let refusal { throw refusal }
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
