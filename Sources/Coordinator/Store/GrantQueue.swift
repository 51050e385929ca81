import Farm
import Foundation
import PostgreSQL
import Shared

/// The head of the queue as the database proposes it, of each kind; more is loaded when the policy passes over what is
/// there.
struct GrantQueue {
    private struct Head {
        var candidates: [GrantCandidate] = []
        /// Queued candidates asked for so far.
        var limit = 0
        /// There are no others.
        var isWhole = false
    }

    private var heads: [TaskKind: Head] = [:]
    /// Picked before, not to come back with the next load.
    private var taken: Set<TaskID> = []
    private var closedJobs: Set<JobID> = []

    /// Statements that load the head of `kinds`; their results go to ``read(_:_:limit:)``.
    static func loading(_ kinds: [TaskKind], limit: Int) -> [Statement] {
        kinds.map { Statement(queued, [$0.rawValue, limit]) } + [Statement(expired, [kinds.map(\.rawValue)])]
    }

    /// - Parameter sets: results of ``loading(_:limit:)`` for the same kinds and limit.
    mutating func read(_ sets: some BidirectionalCollection<ResultSet>, _ kinds: [TaskKind], limit: Int) throws {
        for (kind, queued) in zip(kinds, sets) {
            let fresh = try queued.map { try GrantCandidate($0) }.filter(isFresh)
            heads[kind] = Head(candidates: fresh, limit: limit, isWhole: queued.count < limit)
        }
        for candidate in try (sets.last?.map { try GrantCandidate($0) } ?? []).filter(isFresh) {
            heads[candidate.kind]?.candidates.append(candidate)
        }
    }

    private func isFresh(_ candidate: GrantCandidate) -> Bool {
        !taken.contains(candidate.task) && !closedJobs.contains(candidate.job)
    }

    /// What is loaded of `kinds`, in the order of the queue.
    func candidates(_ kinds: [TaskKind]) -> [GrantCandidate] {
        kinds.flatMap { heads[$0]?.candidates ?? [] }.sorted(by: GrantCandidate.precedes)
    }

    /// - Returns: false when all of `kinds` was loaded already.
    mutating func loadMore(_ kinds: [TaskKind], _ connection: isolated Connection) throws -> Bool {
        let unfinished = kinds.filter { heads[$0]?.isWhole == false }
        guard let limit = unfinished.compactMap({ heads[$0]?.limit }).max() else { return false }
        try read(connection.batch(Self.loading(unfinished, limit: 4 * limit)), unfinished, limit: 4 * limit)
        return true
    }

    mutating func take(_ task: TaskID) {
        taken.insert(task)
        drop { $0.task == task }
    }

    /// The job came to an end.
    mutating func close(_ job: JobID) {
        closedJobs.insert(job)
        drop { $0.job == job }
    }

    private mutating func drop(_ isGone: (GrantCandidate) -> Bool) {
        for kind in TaskKind.allCases { heads[kind]?.candidates.removeAll(where: isGone) }
    }

    private static let columns = """
        task.id, task.job, task.kind, task.position, task.priority, task.cost_ms, ARRAY(
            SELECT DISTINCT attempt.worker FROM attempt
            WHERE attempt.task = task.id AND attempt.state IN ('failed', 'superseded') AND attempt.failure IS NOT NULL
        """

    private static let queued = """
        SELECT \(columns)) AS failed FROM task
        WHERE kind = $1 AND state = 'queued' AND is_open AND not_before_ms <= (SELECT farm_now())
        ORDER BY priority DESC, job, cost_ms DESC, position LIMIT $2
        """

    /// All of its leases have expired, so that whoever holds one failed it as well. The array makes the planner begin
    /// with the few, not with every leased task.
    private static let expired = """
        SELECT \(columns) UNION SELECT lease.worker FROM lease WHERE lease.task = task.id) AS failed FROM task
        WHERE task.id = ANY(ARRAY(
                SELECT lease.task FROM lease GROUP BY lease.task
                HAVING max(lease.until_ms) <= (SELECT swept_ms FROM farm)
            )) AND kind = ANY($1::text[]) AND state = 'leased' AND is_open
        """
}

extension GrantCandidate {
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            task: try row.identifier("id"),
            job: try row.identifier("job"),
            kind: try row.word("kind"),
            position: try row.get("position"),
            priority: try row.get("priority"),
            costMilliseconds: try row.get("cost_ms"),
            failedWorkers: try row.get("failed", as: [UUID].self).map { WorkerID(uuid: $0) }
        )
    }
}
