import Farm
import Foundation
import PostgreSQL
import Shared

/// The head of the queue as the database proposes it: loaded for each kind when first wanted, and further when the
/// policy passes over what is there.
struct GrantQueue {
    private struct Head {
        var candidates: [GrantCandidate] = []
        /// Queued candidates asked for so far.
        var limit = 0
        /// There are no others.
        var isWhole = false
    }

    let now: FarmTime
    /// Leases that end at or before it have expired.
    let expiry: FarmTime
    /// How many are loaded at first: what all polls together may take.
    let firstLimit: Int
    private var heads: [TaskKind: Head] = [:]
    /// Picked before, not to come back with the next load.
    private var taken: Set<TaskID> = []
    private var closedJobs: Set<JobID> = []

    init(now: FarmTime, expiry: FarmTime, firstLimit: Int) {
        self.now = now
        self.expiry = expiry
        self.firstLimit = firstLimit
    }

    /// What is loaded of `kinds`, in the order of the queue.
    mutating func candidates(_ kinds: [TaskKind], _ connection: isolated Connection) throws -> [GrantCandidate] {
        for kind in kinds where heads[kind] == nil { try load(kind, limit: firstLimit, connection) }
        return kinds.flatMap { heads[$0]?.candidates ?? [] }.sorted(by: GrantCandidate.precedes)
    }

    /// - Returns: false when all of `kinds` was loaded already.
    mutating func loadMore(_ kinds: [TaskKind], _ connection: isolated Connection) throws -> Bool {
        let unfinished = kinds.filter { heads[$0]?.isWhole == false }
        for kind in unfinished { try load(kind, limit: 4 * (heads[kind]?.limit ?? firstLimit), connection) }
        return !unfinished.isEmpty
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

    private mutating func load(_ kind: TaskKind, limit: Int, _ connection: isolated Connection) throws {
        let sets = try connection.batch([
            Statement(Self.queued, [kind.rawValue, now.milliseconds, limit]),
            Statement(Self.expired, [kind.rawValue, expiry.milliseconds]),
        ])
        let found = try (sets[0].map { try GrantCandidate($0, kind) } + sets[1].map { try GrantCandidate($0, kind) })
        let fresh = found.filter { !taken.contains($0.task) && !closedJobs.contains($0.job) }
        heads[kind] = Head(candidates: fresh, limit: limit, isWhole: sets[0].count < limit)
    }

    private static let columns = """
        task.id, task.job, task.position, task.priority, task.cost_ms, ARRAY(
            SELECT DISTINCT attempt.worker FROM attempt
            WHERE attempt.task = task.id AND attempt.state IN ('failed', 'superseded') AND attempt.failure IS NOT NULL
        """

    private static let queued = """
        SELECT \(columns)) AS failed FROM task
        WHERE kind = $1 AND state = 'queued' AND is_open AND not_before_ms <= $2
        ORDER BY priority DESC, job, cost_ms DESC, position LIMIT $3
        """

    /// All of its leases have expired, so that whoever holds one failed it as well.
    private static let expired = """
        SELECT \(columns) UNION SELECT lease.worker FROM lease WHERE lease.task = task.id) AS failed FROM task
        WHERE task.id IN (SELECT lease.task FROM lease GROUP BY lease.task HAVING max(lease.until_ms) <= $2)
            AND kind = $1 AND state = 'leased' AND is_open
        """
}

extension GrantCandidate {
    init(_ row: Row, _ kind: TaskKind) throws(DatabaseError) {
        self.init(
            task: try row.identifier("id"),
            job: try row.identifier("job"),
            kind: kind,
            position: try row.get("position"),
            priority: try row.get("priority"),
            costMilliseconds: try row.get("cost_ms"),
            failedWorkers: try row.get("failed", as: [UUID].self).map { WorkerID(uuid: $0) }
        )
    }
}
