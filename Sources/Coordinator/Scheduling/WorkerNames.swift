import Farm
import Synchronization
import WireProtocol

/// The names of workers by identifier, in memory: a worker that fails over and over costs no question each time.
final class WorkerNames: Sendable {
    /// The most names that are kept. Beyond it all are forgotten, and asked for again.
    private static let limit = 4096
    /// The name of a worker that nobody knows.
    static let unknown = "unknown"

    private let store: any FarmStore
    private let names = Mutex<[WorkerID: String]>([:])

    init(store: any FarmStore) { self.store = store }

    /// Keeps the name of a worker.
    func note(_ name: String, of worker: WorkerID) {
        names.withLock { names in
            if names.count >= Self.limit, names[worker] == nil { names.removeAll() }
            names[worker] = name
        }
    }

    /// The name of a worker, also of one that registered at another coordinator or before a restart; ``unknown`` for one
    /// that left, and while the database does not answer.
    func name(of worker: WorkerID) async -> String {
        if let name = names.withLock({ $0[worker] }) { return name }
        guard let workers = try? await store.workers() else { return Self.unknown }
        for known in workers { note(known.name, of: known.id) }
        if !workers.contains(where: { $0.id == worker }) { note(Self.unknown, of: worker) }
        return names.withLock { $0[worker] } ?? Self.unknown
    }
}
