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

    /// Drains one of ``workers(of:)``: it finishes its tasks and takes no new ones.
    /// - Returns: False when it is one of several with the name, and has left since they were listed.
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
