import Farm
import PostgreSQL
import WireProtocol

/// The audited tasks that another machine has rendered already, as far as they were loaded for each worker. Which of them
/// a worker may have depends on its machine, so that they cannot stand in the lanes that workers share. Only farms that audit have
/// any: whether there are is asked once in a round.
struct AuditQueue {
    private struct Head {
        var candidates: [GrantCandidate]
        /// The number of candidates of each owner asked for.
        let limit: Int
        /// The owners who may have others.
        let unfinished: Set<String>
    }

    /// Whether audited tasks wait for another machine, for whomever.
    var hasAny = false
    private var heads: [WorkerID: Head] = [:]

    /// Asks whether there are any: `audits`.
    static let asking = Statement(
        "SELECT EXISTS (SELECT FROM task WHERE witnesses IS NOT NULL AND state = 'queued') AS audits"
    )

    /// Those that `worker` may have, in the order of the queue.
    func candidates(for worker: WorkerID) -> [GrantCandidate] { heads[worker]?.candidates ?? [] }

    /// Whether there are some, and none was loaded for `worker` yet.
    func needsLoading(for worker: WorkerID) -> Bool { hasAny && heads[worker] == nil }

    /// Whether all of `owners` that `worker` may have are loaded.
    func isWhole(of owners: Set<String>, for worker: WorkerID) -> Bool {
        heads[worker]?.unfinished.isDisjoint(with: owners) ?? true
    }

    /// The number to load next of each owner; nil when all are loaded.
    func nextLimit(for worker: WorkerID) -> Int? {
        guard let head = heads[worker], !head.unfinished.isEmpty else { return nil }
        return 4 * head.limit
    }

    /// Takes what was loaded for a worker.
    /// - Parameter fresh: those of it that nobody has picked since.
    mutating func read(_ loaded: [GrantCandidate], _ fresh: [GrantCandidate], for worker: WorkerID, limit: Int) {
        let counts = Dictionary(grouping: loaded, by: \.owner)
        let unfinished = Set(counts.filter { $0.value.count >= limit }.keys)
        heads[worker] = Head(candidates: fresh, limit: limit, unfinished: unfinished)
    }

    /// Removes what was picked, or whose job has ended.
    mutating func remove(_ isGone: (GrantCandidate) -> Bool) {
        for worker in Array(heads.keys) { heads[worker]?.candidates.removeAll(where: isGone) }
    }
}
