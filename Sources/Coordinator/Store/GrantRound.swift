import Farm
import Foundation
import PostgreSQL
import Shared

/// The answers to a batch of polls, one after the other, in one transaction that holds the farm's row.
struct GrantRound {
    private let policy: FarmPolicy
    private let identifiers: IdentifierSource
    private let now: FarmTime
    private let expiry: FarmTime
    private var workers: [WorkerID: WorkerRecord]
    private var queue: GrantQueue
    private var rows = LockedRows()
    private var writer: ChangeWriter
    /// What each poll was granted before, in the order of the grants.
    private var earlier: [PollID: [AttemptRecord]]
    private var stragglers: [HedgeCandidate]?

    /// Locks the farm's row: no two rounds run at once.
    init(
        _ polls: [LeasePoll],
        policy: FarmPolicy,
        identifiers: IdentifierSource,
        _ connection: isolated Connection,
        at now: FarmTime
    ) throws {
        self.policy = policy
        self.identifiers = identifiers
        self.now = now
        let farm = try connection.query("SELECT swept_ms FROM farm FOR UPDATE")[0]
        expiry = try farm.optionalTime("swept_ms") ?? FarmTime(milliseconds: .min)
        let wanted = polls.reduce(0) { $0 + max(0, min($1.capacity, 1000)) }
        queue = GrantQueue(now: now, expiry: expiry, firstLimit: wanted + 16)
        writer = ChangeWriter(at: now)
        workers = try Self.loadWorkers(polls, policy, connection, now)
        earlier = try Self.loadEarlier(polls, connection)
        for poll in polls { hear(poll.worker) }
    }

    mutating func answer(_ poll: LeasePoll, _ connection: isolated Connection) throws -> PollOutcome {
        guard let worker = workers[poll.worker], !worker.hasLeft else { return .unknownWorker }
        if let held = earlier[poll.poll] { return .granted(try again(held, poll, connection)) }
        guard policy.takesWork(worker) else { return .granted([]) }
        return .granted(try grantNew(poll, to: worker, connection))
    }

    mutating func finish(_ connection: isolated Connection) throws { try writer.finish(connection) }

    private mutating func hear(_ worker: WorkerID) {
        guard let record = workers[worker], !record.hasLeft else { return }
        workers[worker]?.lastSeen = max(record.lastSeen, now)
        writer.hear(worker)
    }

    /// The reply was lost: what is still held, renewed.
    private mutating func again(
        _ held: [AttemptRecord],
        _ poll: LeasePoll,
        _ connection: isolated Connection
    ) throws -> [LeaseGrant] {
        let renewed = held.compactMap { attempt in
            attempt.renewed(by: poll.worker, permille: attempt.permille, at: now, policy: policy.lease)
        }
        writer.add(renewed.map { $0.renewal() })
        return try grants(renewed, connection)
    }

    private mutating func grantNew(
        _ poll: LeasePoll,
        to worker: WorkerRecord,
        _ connection: isolated Connection
    ) throws -> [LeaseGrant] {
        let kinds = TaskKind.allCases.filter(poll.kinds.contains)
        let picks = try choose(poll, kinds, connection)
        var granted: [AttemptRecord] = []
        if !picks.isEmpty {
            granted = try grant(picks, poll, worker, because: .turn(expiry: expiry), connection)
        } else if try queue.candidates(kinds, connection).isEmpty, let straggler = try straggler(poll, connection) {
            stragglers?.removeAll { $0.candidate.task == straggler.candidate.task }
            granted = try grant([straggler.candidate], poll, worker, because: .hedge, connection)
        }
        if !granted.isEmpty { earlier[poll.poll] = granted }
        return try grants(granted, connection)
    }

    private mutating func choose(
        _ poll: LeasePoll,
        _ kinds: [TaskKind],
        _ connection: isolated Connection
    ) throws -> [GrantCandidate] {
        let eligible = workers.values.filter { policy.isEligible($0, at: now) }
        while true {
            let picks = GrantPolicy.choose(try queue.candidates(kinds, connection), for: poll, workers: eligible)
            if picks.count >= poll.capacity { return picks }
            guard try queue.loadMore(kinds, connection) else { return picks }
        }
    }

    private mutating func straggler(_ poll: LeasePoll, _ connection: isolated Connection) throws -> HedgeCandidate? {
        let known = try stragglers ?? StragglerQuery.run(connection, policy: policy.hedge, expiry: expiry, now: now)
        stragglers = known
        return policy.hedge.choose(known, for: poll, at: now)
    }

    /// A pick that somebody finished or gave back since it was proposed is not granted: the next poll asks again.
    private mutating func grant(
        _ picks: [GrantCandidate],
        _ poll: LeasePoll,
        _ worker: WorkerRecord,
        because reason: TaskMachine.GrantReason,
        _ connection: isolated Connection
    ) throws -> [AttemptRecord] {
        try rows.lock(Dictionary(uniqueKeysWithValues: picks.map { ($0.task, $0.job) }), connection)
        return try picks.compactMap { pick in
            queue.take(pick.task)
            let id: AttemptID = identifiers.next(at: now)
            guard var decision = rows.decision(on: pick.task, policy: policy) else { return nil }
            let attempt = decision.grant(id, to: worker, poll: poll.poll, because: reason, at: now)
            try writer.write(decision.changes, to: &rows, connection)
            if rows.jobs[pick.job]?.state.isFinal == true { queue.close(pick.job) }
            return attempt
        }
    }

    private func grants(_ attempts: [AttemptRecord], _ connection: isolated Connection) throws -> [LeaseGrant] {
        guard !attempts.isEmpty else { return [] }
        let sql = "SELECT task, payload FROM task_payload WHERE task = ANY($1::uuid[])"
        var payloads: [TaskID: TaskPayload] = [:]
        for row in try connection.query(sql, [attempts.map(\.task.uuid)]) {
            payloads[try row.identifier("task")] = try row.json("payload")
        }
        return attempts.compactMap { attempt in payloads[attempt.task].map { attempt.leaseGrant($0, at: now) } }
    }

    /// Those who poll, and those that a task may wait for.
    private static func loadWorkers(
        _ polls: [LeasePoll],
        _ policy: FarmPolicy,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws -> [WorkerID: WorkerRecord] {
        let oldest = now.adding(milliseconds: -policy.workerAbsenceMilliseconds)
        let sql = "SELECT * FROM worker WHERE id = ANY($1::uuid[]) OR (NOT has_left AND last_seen_ms >= $2)"
        let rows = try connection.query(sql, [polls.map(\.worker.uuid), oldest.milliseconds])
        return Dictionary(uniqueKeysWithValues: try rows.map { try WorkerRecord($0) }.map { ($0.id, $0) })
    }

    private static func loadEarlier(
        _ polls: [LeasePoll],
        _ connection: isolated Connection
    ) throws -> [PollID: [AttemptRecord]] {
        let sql = AttemptRecord.selection + " WHERE attempt.poll = ANY($1::uuid[]) ORDER BY attempt.number"
        let rows = try connection.query(sql, [polls.map(\.poll.uuid)])
        return Dictionary(grouping: try rows.map { try AttemptRecord($0) }, by: \.poll)
    }
}
