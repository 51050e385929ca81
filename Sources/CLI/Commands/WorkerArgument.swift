import ArgumentParser
import Client
import Farm
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

    /// Does something to each of ``workers(of:)``, and prints what came of it. Of several with one name it is done to those that
    /// answer, and of the silent ones is said that nothing was; if all are silent, to all.
    /// - Parameter outcome: what is said of a worker to which it was done. Of several with one name, that one has left since
    ///   they were listed, or cannot be treated so, is said of it and hinders no other.
    /// - Throws: `ClientError`; ``CommandFailure`` when no worker has the name, or it could be done to none that has it.
    func each(
        of connection: CoordinatorConnection,
        _ outcome: String,
        _ action: (WorkerID) async throws(ClientError) -> Void
    ) async throws {
        var (count, refusal) = (0, ClientError?.none)
        let named = try await workers(of: connection)
        for worker in named.silent {
            Console.print("\(worker.words) has been silent for \(worker.silence); it is left as it is")
        }
        for worker in named.chosen {
            do throws(ClientError) {
                try await action(worker.id)
                Console.print("\(worker.words) \(outcome)")
                count += 1
            } catch {
                guard case .name = self, case .problem(let problem) = error else { throw error }
                switch problem.status {
                case 404: Console.print("\(worker.words) has left")
                case 409:
                    Console.print("\(worker.words): \(problem.detail)")
                    refusal = error
                default: throw error
                }
            }
        }
        if count == 0, let refusal { throw refusal }
    }

    /// A worker that is meant.
    struct Named {
        let id: WorkerID
        /// Nil for one that was named by its identifier.
        var name: String?
        /// The seconds since it was heard of.
        var secondsSilent = 0.0

        /// What it is called in what is printed.
        var words: String { name.map { "\(id) “\($0.visible)”" } ?? "\(id)" }
        var silence: String { "\(Int(secondsSilent)) s" }
        var isSilent: Bool { secondsSilent * 1000 > Double(FarmPolicy().workerAbsenceMilliseconds) }
    }

    /// The workers that the argument names: those that answer, or all if none does; and the others.
    /// - Throws: ``CommandFailure`` when no worker has the name; `ClientError`.
    func workers(of connection: CoordinatorConnection) async throws -> (chosen: [Named], silent: [Named]) {
        switch self {
        case .id(let worker): return ([Named(id: worker)], [])
        case .name(let name):
            let workers = try await connection.workers().filter { $0.name == name }
            guard !workers.isEmpty else {
                throw CommandFailure(.usage, "There is no worker “\(name)”; `cutfarm workers` lists ids and names.")
            }
            let named = workers.map { Named(id: $0.id, name: $0.name, secondsSilent: $0.secondsSinceSeen) }
            let answering = named.filter { !$0.isSilent }
            return answering.isEmpty ? (named, []) : (answering, named.filter(\.isSilent))
        }
    }
}
