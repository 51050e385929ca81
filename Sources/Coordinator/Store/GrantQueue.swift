import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// The head of the queue as the database proposes it, of each kind and for each of the versions that workers have. More
/// is loaded when the policy passes over what is there.
struct GrantQueue {
    /// The part of the queue of one kind that was loaded.
    private struct Head {
        /// The number of queued candidates of each owner asked for so far.
        let limit: Int
        /// The owners who may have others.
        let unfinished: Set<String>
    }

    /// What decides which candidates a worker may have: workers of one key share a lane.
    private struct LaneKey: Hashable {
        let versions: RenderVersions
        /// The sets of requirements of unfinished jobs that the worker does not meet.
        let unmet: [[String]]
    }

    /// The candidates that workers of the same key may have.
    private struct Lane {
        /// The loaded candidates of all kinds, in the order of the queue.
        var candidates: [GrantCandidate] = []
        var heads: [TaskKind: Head] = [:]
    }

    /// The number of candidates of each kind and owner that are loaded first.
    private let firstLimit: Int
    private let policy: FarmPolicy
    private var lanes: [LaneKey: Lane] = [:]
    /// The sets of requirements that unfinished jobs have; mostly none.
    private let required: [Requirements]
    /// The audited tasks that another machine has rendered already.
    var audits = AuditQueue()
    /// The candidates that were picked before, and do not come back with the next load.
    private var taken: Set<TaskID> = []
    /// The parts that picked tasks make: queued tasks that make the same wait for them.
    private var making: Set<PartName> = []
    /// The leased tasks all of whose leases have expired. They had begun with their part already, and wait for no other.
    private var expired: Set<TaskID> = []
    /// The jobs that came to an end, whose candidates do not come back either.
    private var closedJobs: Set<JobID> = []

    /// Makes an empty queue.
    /// - Parameters:
    ///   - firstLimit: the number of candidates of each kind and owner that are loaded first.
    ///   - policy: whether tasks wait for parts.
    ///   - required: the sets of requirements that unfinished jobs have.
    init(firstLimit: Int, policy: FarmPolicy, required: [Requirements]) {
        self.required = required
        self.firstLimit = firstLimit
        self.policy = policy
    }

    private func key(_ worker: WorkerRecord) -> LaneKey {
        LaneKey(versions: worker.versions, unmet: unmet(by: worker))
    }

    /// The sets of requirements of unfinished jobs that a worker does not meet, each as texts.
    func unmet(by worker: WorkerRecord) -> [[String]] { required.filter { !$0.areMet(by: worker) }.map(\.texts) }

    /// Asks for the sets of requirements of unfinished jobs: `requirements`.
    static let askingRequirements = Statement(
        """
        SELECT DISTINCT requirements FROM job
        WHERE requirements IS NOT NULL AND state IN ('queued', 'rendering', 'stitching')
        """
    )

    /// The loaded candidates for `worker`, in the order of the queue.
    func candidates(for worker: WorkerRecord) -> [GrantCandidate] {
        let lane = lanes[key(worker)]?.candidates ?? []
        let audited = audits.candidates(for: worker.id)
        return audited.isEmpty ? lane : (lane + audited).sorted(by: GrantCandidate.precedes)
    }

    /// The statements that load the head of `kinds` for `worker`; their results go to ``read(_:_:for:limit:)``.
    /// - Parameter unmet: the sets of requirements that the worker does not meet.
    static func loading(
        _ kinds: [TaskKind],
        for worker: WorkerID,
        limit: Int,
        policy: FarmPolicy,
        unmet: [[String]] = []
    ) -> [Statement] {
        let names = unmet.map { $0.joined(separator: "\n") }
        return kinds.map { Statement(queued, [$0.rawValue, limit, worker.uuid, policy.keepsParts, names]) }
            + [Statement(expired, [kinds.map(\.rawValue), worker.uuid, names])]
    }

    /// Takes loaded candidates.
    /// - Parameter sets: the results of ``loading(_:for:limit:policy:)`` for the same kinds, worker and limit.
    /// - Throws: ``DatabaseError`` for a value that an incompatible program wrote.
    mutating func read(
        _ sets: some Collection<ResultSet>,
        _ kinds: [TaskKind],
        for worker: WorkerRecord,
        limit: Int
    ) throws {
        var lane = lanes[key(worker)] ?? Lane()
        for (kind, queued) in zip(kinds, sets) {
            let counts = Dictionary(grouping: try queued.map { try $0.get("owner", as: String.self) }) { $0 }
            lane.heads[kind] = Head(limit: limit, unfinished: Set(counts.filter { $0.value.count >= limit }.keys))
        }
        var loaded = try sets.joined().map { try GrantCandidate($0) }
        for row in sets.dropFirst(kinds.count).joined() { expired.insert(try row.identifier("id")) }
        if !policy.keepsParts { for index in loaded.indices { loaded[index].key = nil } }
        let fresh = loaded.filter { candidate in
            !taken.contains(candidate.task) && !closedJobs.contains(candidate.job)
                && (expired.contains(candidate.task) || !(candidate.partName.map(making.contains) ?? false))
        }
        let others = lane.candidates.filter { !kinds.contains($0.kind) }
        lane.candidates = (others + fresh).sorted(by: GrantCandidate.precedes)
        lanes[key(worker)] = lane
    }

    /// Loads the head of those of `kinds` that nobody asked for yet: what goes first may be of any kind.
    /// - Throws: ``DatabaseError``.
    mutating func loadHeads(
        _ kinds: [TaskKind],
        for worker: WorkerRecord,
        _ connection: isolated Connection
    ) throws {
        if audits.needsLoading(for: worker.id) { try loadAudits(for: worker, limit: firstLimit, connection) }
        let missing = kinds.filter { lanes[key(worker)]?.heads[$0] == nil }
        guard !missing.isEmpty else { return }
        let sets = try connection.batch(
            Self.loading(missing, for: worker.id, limit: firstLimit, policy: policy, unmet: unmet(by: worker))
        )
        try read(sets, missing, for: worker, limit: firstLimit)
    }

    /// Whether all candidates of `owners` that are of `kinds` are loaded for `worker`.
    func isWhole(_ kinds: [TaskKind], of owners: Set<String>, for worker: WorkerRecord) -> Bool {
        kinds.allSatisfy { lanes[key(worker)]?.heads[$0]?.unfinished.isDisjoint(with: owners) ?? false }
            && audits.isWhole(of: owners, for: worker.id)
    }

    private mutating func loadAudits(
        for worker: WorkerRecord,
        limit: Int,
        _ connection: isolated Connection
    ) throws {
        let loaded = try connection.query(
            Self.audited,
            [
                TaskKind.allCases.map(\.rawValue), limit, worker.id.uuid, worker.identities,
                unmet(by: worker).map { $0.joined(separator: "\n") },
            ]
        ).map { try GrantCandidate($0) }
        let fresh = loaded.filter { !taken.contains($0.task) && !closedJobs.contains($0.job) }
        audits.read(loaded, fresh, for: worker.id, limit: limit)
    }

    /// Loads four times as many candidates of those of `kinds` that are not whole.
    /// - Returns: false when all of `kinds` for `worker` was loaded already.
    /// - Throws: ``DatabaseError``.
    mutating func loadMore(
        _ kinds: [TaskKind],
        for worker: WorkerRecord,
        _ connection: isolated Connection
    ) throws -> Bool {
        let auditLimit = audits.nextLimit(for: worker.id)
        if let auditLimit { try loadAudits(for: worker, limit: auditLimit, connection) }
        let heads = lanes[key(worker)]?.heads ?? [:]
        let unfinished = kinds.filter { heads[$0]?.unfinished.isEmpty != true }
        guard !unfinished.isEmpty else { return auditLimit != nil }
        let limit = unfinished.compactMap { heads[$0].map { 4 * $0.limit } }.max() ?? firstLimit
        let sets = try connection.batch(
            Self.loading(unfinished, for: worker.id, limit: limit, policy: policy, unmet: unmet(by: worker))
        )
        try read(sets, unfinished, for: worker, limit: limit)
        return true
    }

    /// Notes that a task was picked, or is held already.
    mutating func take(_ task: TaskID) {
        taken.insert(task)
        for key in Array(lanes.keys) { lanes[key]?.candidates.removeAll { $0.task == task } }
        audits.remove { $0.task == task }
    }

    /// Notes that a candidate was granted: no queued task makes its part meanwhile.
    mutating func make(_ candidate: GrantCandidate) {
        guard let part = candidate.partName else { return }
        making.insert(part)
        for key in Array(lanes.keys) {
            lanes[key]?.candidates.removeAll { $0.partName == part && !expired.contains($0.task) }
        }
    }

    /// Notes that a job came to an end.
    mutating func close(_ job: JobID) {
        closedJobs.insert(job)
        for key in Array(lanes.keys) { lanes[key]?.candidates.removeAll { $0.job == job } }
        audits.remove { $0.job == job }
    }

    private static let columns = """
        task.id, task.job, task.owner, task.kind, task.position, task.priority, task.stage, task.cost_ms, task.key,
        task.witnesses, (SELECT job.requirements FROM job WHERE job.id = task.job) AS requirements, (SELECT job.versions FROM job WHERE job.id = task.job) AS versions, ARRAY(
            SELECT DISTINCT attempt.worker FROM attempt
            WHERE attempt.task = task.id AND attempt.state IN ('failed', 'superseded') AND attempt.failure IS NOT NULL
                AND attempt.started_ms >= coalesce(task.counted_from_ms, 0)
        """

    /// The head of each owner's queue. Owners without any cost a look at the index.
    private static let queued = """
        SELECT head.* FROM owner CROSS JOIN LATERAL (
            SELECT \(columns)) AS failed FROM task
            WHERE task.owner = owner.name AND kind = $1 AND state = 'queued' AND is_open AND witnesses IS NULL
                AND not_before_ms <= (SELECT farm_now()) AND (task.key IS NULL OR NOT $4
                    OR (\(name) NOT IN (\(made)) AND NOT EXISTS (\(part))))
                AND (SELECT EXISTS (\(jobs("$3")))) AND task.job NOT IN (\(jobsOfOthers("$3")))
                AND (kind = 'stitch' OR task.job NOT IN (\(jobsOfDueWindows)))
                AND (kind = 'stitch' OR task.job NOT IN (\(jobsRequiring("$5"))))
                AND (kind <> 'stitch' OR NOT \(awaitsWithdrawal))
            ORDER BY priority DESC, job, stage, (position > 0), cost_ms DESC, position LIMIT $2
        ) AS head
        """

    /// The head of each owner's audited tasks that another machine has rendered already. They wait for no part: they have
    /// one, which is to be confirmed.
    private static let audited = """
        SELECT head.* FROM owner CROSS JOIN LATERAL (
            SELECT \(columns)) AS failed FROM task
            WHERE task.owner = owner.name AND task.kind = ANY($1::text[]) AND task.state = 'queued' AND task.is_open
                AND task.witnesses IS NOT NULL AND NOT task.witnesses && $4::text[]
                AND task.not_before_ms <= (SELECT farm_now())
                AND (SELECT EXISTS (\(jobs("$3")))) AND task.job NOT IN (\(jobsOfOthers("$3")))
                AND task.job NOT IN (\(jobsOfDueWindows)) AND task.job NOT IN (\(jobsRequiring("$5")))
            ORDER BY task.priority DESC, task.job, task.stage, (task.position > 0), task.cost_ms DESC, task.position
            LIMIT $2
        ) AS head
        """

    /// Whether something that a faulty worker made has still to be withdrawn: nothing is joined until then.
    private static let awaitsWithdrawal = "(SELECT EXISTS (SELECT FROM blocked_worker WHERE is_faulty))"

    /// Asks for the same, for movies that are complete: `awaits_withdrawal`.
    static let askingWithdrawal = Statement("SELECT \(awaitsWithdrawal) AS awaits_withdrawal")

    /// The name of the part that a queued task makes, as one text; empty for a job without versions.
    private static let name = """
        coalesce(task.key || ' ' || (SELECT own.versions FROM job AS own WHERE own.id = task.job), '')
        """

    /// Selects the names of the parts that are being made, once for a statement: they are as few as the leases, and a
    /// hundred thousand tasks may wait for one of them. A maker whose lease ended makes nothing unless anybody may go on
    /// with it: no pause, no requirement of its job and no audit keeps others from it.
    private static let made = """
        SELECT maker.key || ' ' || other.versions FROM task AS maker JOIN job AS other ON other.id = maker.job
        WHERE maker.state = 'leased' AND maker.key IS NOT NULL AND other.versions IS NOT NULL AND (EXISTS (
            SELECT FROM lease WHERE lease.task = maker.id
                AND lease.until_ms > coalesce((SELECT swept_ms FROM farm), 0)
        ) OR maker.is_open AND maker.witnesses IS NULL AND other.requirements IS NULL)
        """

    /// Selects the part of a queued task.
    private static let part = """
        SELECT FROM job AS own JOIN part ON part.versions = own.versions WHERE own.id = task.job AND part.key = task.key
        """

    /// The condition that all leases of a task have expired, so that each holder has failed it too. The array makes the
    /// planner begin with the few such tasks, not with every leased one.
    private static let expired = """
        SELECT \(columns) UNION SELECT lease.worker FROM lease WHERE lease.task = task.id) AS failed FROM task
        WHERE task.id = ANY(ARRAY(
                SELECT lease.task FROM lease GROUP BY lease.task
                HAVING max(lease.until_ms) <= (SELECT swept_ms FROM farm)
            )) AND kind = ANY($1::text[]) AND state = 'leased' AND is_open AND task.job NOT IN (\(jobsOfOthers("$2")))
            AND (kind = 'stitch' OR task.job NOT IN (\(jobsOfDueWindows)))
            AND (kind = 'stitch' OR task.job NOT IN (\(jobsRequiring("$3"))))
            AND (kind <> 'stitch' OR NOT \(awaitsWithdrawal))
        """

    /// Selects the jobs that require something that a worker lacks: mostly none, and evaluated once per statement.
    private static func jobsRequiring(_ unmet: String) -> String {
        """
        SELECT demanding.id FROM job AS demanding
        WHERE demanding.requirements IS NOT NULL AND demanding.state IN ('queued', 'rendering', 'stitching')
            AND array_to_string(demanding.requirements, E'\\n') = ANY(\(unmet)::text[])
        """
    }

    /// Selects the jobs that a worker has the versions for. It is asked first: a worker without any reads no task,
    /// however many others have.
    private static func jobs(_ worker: String) -> String {
        """
        SELECT FROM job AS own WHERE own.state IN ('queued', 'rendering', 'stitching') AND (own.versions IS NULL
            OR own.versions = (SELECT worker.versions FROM worker WHERE worker.id = \(worker)))
        """
    }

    /// Selects the jobs whose windows have changed and which no sweep has followed yet: few, from an index.
    static let jobsOfDueWindows = """
        SELECT due.id FROM job AS due WHERE due.state IN ('queued', 'rendering', 'stitching')
            AND due.window_change_ms <= (SELECT farm_now())
        """

    /// Selects the jobs for which a worker lacks the versions, and those that are paused or await others, whose tasks a
    /// coordinator of the version before may have opened: evaluated once per statement, and mostly empty.
    private static func jobsOfOthers(_ worker: String) -> String {
        """
        SELECT other.id FROM job AS other WHERE other.state IN ('queued', 'rendering', 'stitching')
            AND (other.is_paused OR other.awaited_jobs <> '{}' OR other.versions <> (SELECT worker.versions FROM worker WHERE worker.id = \(worker)))
        """
    }
}

extension GrantCandidate {
    /// Reads a row of the candidate query.
    /// - Throws: ``DatabaseError`` for a value that an incompatible program wrote.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            task: try row.identifier("id"),
            job: try row.identifier("job"),
            owner: try row.get("owner"),
            kind: try row.word("kind"),
            position: try row.get("position"),
            priority: try row.get("priority"),
            stage: try row.get("stage"),
            costMilliseconds: try row.get("cost_ms"),
            failedWorkers: try row.get("failed", as: [UUID].self).map { WorkerID(uuid: $0) },
            versions: try row.optional("versions", as: String.self).map { RenderVersions(text: $0) },
            key: try row.digest("key"),
            witnesses: try row.optional("witnesses", as: [String].self) ?? [],
            requirements: Requirements(texts: try row.optional("requirements", as: [String].self) ?? [])
        )
    }
}
