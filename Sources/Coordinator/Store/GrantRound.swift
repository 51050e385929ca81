import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// The answers to a batch of polls, one after the other, in one transaction that holds the farm's row.
struct GrantRound {
    private let policy: FarmPolicy
    private let identifiers: IdentifierSource
    private let now: FarmTime
    private let expiry: FarmTime
    /// The workers that poll.
    private var workers: [WorkerID: WorkerRecord]
    /// The workers that a task may wait for; nil until that is asked.
    private var eligible: [WorkerRecord]?
    private var queue: GrantQueue
    private var rows = LockedRows()
    private var writer: ChangeWriter
    /// The attempts that each poll was granted before, in the order of the grants.
    private var earlier: [PollID: [AttemptRecord]]
    /// The stragglers of the farm, by the kinds for which a poll has asked.
    private var stragglers: [[TaskKind]: [HedgeCandidate]] = [:]
    private var payloads: [TaskID: TaskPayload] = [:]
    /// Whose turn it is. No other round changes it meanwhile.
    private var turns: OwnerTurns

    /// The statements that lock the farm's row, so that no two rounds run at once, and read what the round begins with.
    static func opening(_ polls: [LeasePoll], _ policy: FarmPolicy) -> [Statement] {
        [
            Statement("SELECT swept_ms FROM farm FOR UPDATE"),
            Statement(WorkerRecord.selection + " FROM worker WHERE id = ANY($1::uuid[])", [polls.map(\.worker.uuid)]),
            Statement(
                AttemptRecord.selection + " WHERE attempt.poll = ANY($1::uuid[]) ORDER BY attempt.number",
                [polls.map(\.poll.uuid)]
            ),
            Statement("SELECT name, turn, joining_turn FROM owner"),
            AuditQueue.asking,
            GrantQueue.askingRequirements,
        ] + GrantQueue.loading(kinds(polls), for: first(polls), limit: firstLimit(polls), policy: policy)
    }

    /// Begins a round.
    /// - Parameter results: the results of ``opening(_:_:)`` for the same polls.
    /// - Throws: ``DatabaseError`` for a value that an incompatible program wrote.
    init(
        _ polls: [LeasePoll],
        policy: FarmPolicy,
        identifiers: IdentifierSource,
        reading results: ArraySlice<ResultSet>,
        at now: FarmTime
    ) throws {
        self.policy = policy
        self.identifiers = identifiers
        self.now = now
        let sets = Array(results)
        expiry = try sets[0][0].optionalTime("swept_ms") ?? FarmTime(milliseconds: .min)
        workers = Dictionary(uniqueKeysWithValues: try sets[1].map { try WorkerRecord($0) }.map { ($0.id, $0) })
        earlier = Dictionary(grouping: try sets[2].map { try AttemptRecord($0) }, by: \.poll)
        var (turned, joined): ([String: Int64], [String: Int64]) = ([:], [:])
        for row in sets[3] {
            let owner = try row.get("name", as: String.self)
            (turned[owner], joined[owner]) = (try row.get("turn"), try row.get("joining_turn"))
        }
        turns = OwnerTurns(turned, joined: joined)
        queue = GrantQueue(
            firstLimit: Self.firstLimit(polls),
            policy: policy,
            required: try sets[5].map { Requirements(texts: try $0.get("requirements")) }
        )
        queue.audits.hasAny = try sets[4][0].get("audits")
        // What was loaded is for a worker that meets everything; for another it is loaded anew.
        if let first = workers[Self.first(polls)], queue.unmet(by: first).isEmpty {
            try queue.read(sets[6...], Self.kinds(polls), for: first, limit: Self.firstLimit(polls))
        }
        writer = ChangeWriter(at: now)
        for poll in polls { hear(poll.worker) }
    }

    /// The kinds that any of the polls asks for.
    private static func kinds(_ polls: [LeasePoll]) -> [TaskKind] {
        TaskKind.allCases.filter { kind in polls.contains { $0.kinds.contains(kind) } }
    }

    /// The worker whose versions are loaded first. Nearly always all workers have its versions; what others need is
    /// loaded when it is their turn.
    private static func first(_ polls: [LeasePoll]) -> WorkerID { polls.first?.worker ?? WorkerID(uuid: UUID()) }

    /// The number of tasks that all polls together may take, and some more that the policy may pass over.
    private static func firstLimit(_ polls: [LeasePoll]) -> Int {
        polls.reduce(16) { $0 + max(0, min($1.capacity, 1000)) }
    }

    /// Answers one poll. Polls are answered in order.
    /// - Throws: ``DatabaseError``.
    mutating func answer(_ poll: LeasePoll, _ connection: isolated Connection) throws -> PollOutcome {
        guard let worker = workers[poll.worker], !worker.hasLeft else { return .unknownWorker }
        if let held = earlier[poll.poll] { return .granted(try again(held, poll, connection)) }
        guard policy.takesWork(worker), poll.capacity > 0 else { return .granted([]) }
        return .granted(try grantNew(poll, to: worker, connection))
    }

    /// Writes everything that was decided. It is called once, last.
    /// - Throws: ``DatabaseError`` when a row changed under the transaction, or the database does not answer.
    mutating func finish(_ connection: isolated Connection) throws {
        writer.add(
            turns.taken.sorted().map { owner in
                Statement(
                    "UPDATE owner SET turn = $2, joining_turn = $3 WHERE name = $1",
                    [owner, turns.number(owner), turns.number(owner, joining: true)]
                )
            }
        )
        try writer.finish(connection)
    }

    /// Notes that the worker was heard of now.
    private mutating func hear(_ worker: WorkerID) {
        guard let record = workers[worker], !record.hasLeft else { return }
        workers[worker]?.lastSeen = max(record.lastSeen, now)
        writer.hear(worker)
    }

    /// Answers a poll whose first answer was lost: with what it still holds, renewed.
    private mutating func again(
        _ held: [AttemptRecord],
        _ poll: LeasePoll,
        _ connection: isolated Connection
    ) throws -> [LeaseGrant] {
        let renewed = held.compactMap { attempt in
            policy.lease.renewed(attempt, by: poll.worker, permille: attempt.permille, at: now)
        }
        writer.renew(renewed)
        for attempt in renewed { queue.take(attempt.task) }
        // A renewed lease that had expired may be a straggler from now on.
        stragglers = [:]
        try readPayloads(connection.batch([Self.loadingPayloads(renewed.map(\.task))]).first)
        return grants(renewed)
    }

    /// Locks and grants picks. A pick that somebody finished or gave back since it was proposed is not granted: the
    /// next poll asks again.
    private mutating func grantNew(
        _ poll: LeasePoll,
        to worker: WorkerRecord,
        _ connection: isolated Connection
    ) throws -> [LeaseGrant] {
        let kinds = TaskKind.allCases.filter(poll.kinds.contains)
        let picks = try choose(poll, of: worker, kinds, connection)
        var granted: [AttemptRecord] = []
        if !picks.isEmpty {
            granted = try grant(picks, poll, worker, because: .turn(expiry: expiry), connection)
        } else if !queue.candidates(for: worker).contains(where: {
            kinds.contains($0.kind) && $0.suits(worker)
        }),
            let straggler = try straggler(poll, of: kinds, worker, connection)
        {
            stragglers = stragglers.mapValues { found in
                found.filter { $0.candidate.task != straggler.candidate.task }
            }
            granted = try grant([straggler.candidate], poll, worker, because: .hedge, connection)
        }
        if !granted.isEmpty { earlier[poll.poll] = granted }
        return grants(granted)
    }

    /// Chooses among the loaded candidates, loading more while the policy passes over them.
    private mutating func choose(
        _ poll: LeasePoll,
        of worker: WorkerRecord,
        _ kinds: [TaskKind],
        _ connection: isolated Connection
    ) throws -> [GrantCandidate] {
        try queue.loadHeads(kinds, for: worker, connection)
        while true {
            let candidates = queue.candidates(for: worker)
            let waits = candidates.contains { $0.failedWorkers.contains(worker.id) }
            let others = waits ? try workersThere(connection) : []
            let choice = GrantPolicy.choose(candidates, for: poll, of: worker, workers: others, turns: turns)
            let isSure = queue.isWhole(kinds, of: choice.exhausted, for: worker)
            if try isSure || !queue.loadMore(kinds, for: worker, connection) {
                turns = choice.turns
                return choice.picks
            }
        }
    }

    /// The workers that a task may wait for which the worker of a poll has failed; they are read once in a round.
    private mutating func workersThere(_ connection: isolated Connection) throws -> [WorkerRecord] {
        if let eligible { return eligible }
        let sql = WorkerRecord.selection + " FROM worker WHERE NOT has_left AND last_seen_ms >= farm_now() - $1"
        var all = workers
        for worker in try connection.query(sql, [policy.workerAbsenceMilliseconds]).map({ try WorkerRecord($0) })
        // Those that poll were heard of just now, which is not written yet.
        where all[worker.id] == nil { all[worker.id] = worker }
        let found = all.values.filter { policy.isEligible($0, at: now) }
        eligible = found
        return found
    }

    /// Chooses a straggler for a second attempt. Only those of the kinds that the poll asks for are looked for: the
    /// coordinator's own polls, for movies to join, come with every change of a farm that renders.
    private mutating func straggler(
        _ poll: LeasePoll,
        of kinds: [TaskKind],
        _ worker: WorkerRecord,
        _ connection: isolated Connection
    ) throws -> HedgeCandidate? {
        if stragglers[kinds] == nil {
            try writer.flush(connection)
            stragglers[kinds] = try StragglerQuery.run(
                kinds,
                connection,
                policy: policy.hedge,
                expiry: expiry,
                now: now
            )
        }
        let known = stragglers[kinds] ?? []
        return policy.hedge.choose(known, for: poll, of: worker, at: now)
    }

    /// A pick that somebody finished or gave back since it was proposed is not granted: the next poll asks again.
    private mutating func grant(
        _ picks: [GrantCandidate],
        _ poll: LeasePoll,
        _ worker: WorkerRecord,
        because reason: TaskMachine.GrantReason,
        _ connection: isolated Connection
    ) throws -> [AttemptRecord] {
        let tasks = picks.map(\.task)
        let sets = try connection.batch(LockedRows.locking(tasks: tasks) + [Self.loadingPayloads(tasks)])
        try rows.read(sets)
        try readPayloads(sets.last)
        return try picks.compactMap { pick in
            queue.take(pick.task)
            let id: AttemptID = identifiers.next(at: now)
            guard var decision = rows.decision(on: pick.task, policy: policy) else { return nil }
            let attempt = decision.grant(id, to: worker, poll: poll.poll, because: reason, at: now)
            if attempt != nil { queue.make(pick) }
            try writer.write(decision.changes, to: &rows, connection)
            for change in decision.changes { note(change) }
            if rows.jobs[pick.job]?.state.isFinal == true { queue.close(pick.job) }
            return attempt
        }
    }

    /// Follows a decision: what an earlier poll holds ends when this round supersedes it or cancels its job.
    private mutating func note(_ change: FarmChange) {
        switch change {
        case .endAttempt(let ended): end(ended.state) { $0.id == ended.id }
        case .cancelOpenTasks(let job): end(.cancelled) { $0.job == job && $0.state == .live }
        default: break
        }
    }

    private mutating func end(_ state: AttemptView.State, _ isEnded: (AttemptRecord) -> Bool) {
        earlier = earlier.mapValues { attempts in
            attempts.map { attempt in
                var attempt = attempt
                if isEnded(attempt) { attempt.state = state }
                return attempt
            }
        }
    }

    /// The leases as workers are told of them.
    private func grants(_ attempts: [AttemptRecord]) -> [LeaseGrant] {
        attempts.compactMap { attempt in payloads[attempt.task].map { attempt.leaseGrant($0, at: now) } }
    }

    private static func loadingPayloads(_ tasks: [TaskID]) -> Statement {
        Statement("SELECT task, payload FROM task_payload WHERE task = ANY($1::uuid[])", [tasks.map(\.uuid)])
    }

    private mutating func readPayloads(_ rows: ResultSet?) throws {
        for row in rows.map(Array.init) ?? [] { payloads[try row.identifier("task")] = try row.json("payload") }
    }
}
