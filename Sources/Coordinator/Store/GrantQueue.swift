import Farm
import Foundation
import PostgreSQL
import Shared

/// The head of the queue as the database proposes it, of each kind; more is loaded when the policy passes over what is
/// there.
struct GrantQueue {
    private struct Head {
        /// Queued candidates asked for so far.
        let limit: Int
        /// There are no others.
        let isWhole: Bool
    }

    /// What is loaded of all kinds, in the order of the queue.
    private(set) var candidates: [GrantCandidate] = []
    private var heads: [TaskKind: Head] = [:]
    /// Picked before, not to come back with the next load.
    private var taken: Set<TaskID> = []
    private var closedJobs: Set<JobID> = []

    /// Statements that load the head of `kinds`; their results go to ``read(_:_:limit:)``.
    static func loading(_ kinds: [TaskKind], limit: Int) -> [Statement] {
        kinds.map { Statement(queued, [$0.rawValue, limit]) } + [Statement(expired, [kinds.map(\.rawValue)])]
    }

    /// - Parameter sets: results of ``loading(_:limit:)`` for the same kinds and limit.
    mutating func read(_ sets: some Collection<ResultSet>, _ kinds: [TaskKind], limit: Int) throws {
        for (kind, queued) in zip(kinds, sets) {
            heads[kind] = Head(limit: limit, isWhole: queued.count < limit)
        }
        let loaded = try sets.joined().map { try GrantCandidate($0) }
        let fresh = loaded.filter { !taken.contains($0.task) && !closedJobs.contains($0.job) }
        candidates = (candidates.filter { !kinds.contains($0.kind) } + fresh).sorted(by: GrantCandidate.precedes)
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
        if let place = candidates.firstIndex(where: { $0.task == task }) { candidates.remove(at: place) }
    }

    /// The job came to an end.
    mutating func close(_ job: JobID) {
        closedJobs.insert(job)
        candidates.removeAll { $0.job == job }
    }

    private static let columns = """
        task.id, task.job, task.kind, task.position, task.priority, task.cost_ms,
        (SELECT job.versions FROM job WHERE job.id = task.job) AS versions, ARRAY(
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
            failedWorkers: try row.get("failed", as: [UUID].self).map { WorkerID(uuid: $0) },
            versions: try row.optional("versions", as: String.self).map { RenderVersions(text: $0) }
        )
    }
}
