package import CompositionModel
package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func renew(_ beats: [WorkerBeat], waits: Bool) async throws(FarmStoreError) -> [BeatOutcome] {
        precondition(!waits || beats.count == 1, "A single beat alone may wait.")
        // Everything is sent together: a farm of a thousand workers spends most of its time on heartbeats.
        let workers = Array(Set(beats.map(\.worker.uuid)))
        let opening = [
            Statement(WorkerRecord.selection + " FROM worker WHERE id = ANY($1::uuid[]) AND NOT has_left", [workers]),
            ChangeWriter.light,
            Self.renewal(beats, policy.lease, waits: waits),
            Self.hearing(workers, waits: waits),
        ]
        return try await transact(opening: opening) { [policy] _, _, results in
            let results = Array(results)
            var present: [WorkerID: WorkerRecord] = [:]
            for record in try results[0].map({ try WorkerRecord($0) }) { present[record.id] = record }
            var held: [WorkerID: Set<AttemptID>] = [:]
            var undecided: Set<WorkerID> = []
            for row in results[2] {
                let worker: WorkerID = try row.identifier("worker")
                if try row.get("is_renewed") {
                    held[worker, default: []].insert(try row.identifier("attempt"))
                } else if !waits {
                    undecided.insert(worker)
                }
            }
            return beats.map { beat in
                guard let record = present[beat.worker] else { return .unknownWorker }
                guard !undecided.contains(beat.worker) else { return .undecided }
                let own = held[beat.worker] ?? []
                let named = beat.attempts.map(\.attempt)
                return .renewed(
                    HeartbeatReply(
                        renewed: named.filter(own.contains),
                        lost: named.filter { !own.contains($0) },
                        drain: !policy.takesWork(record)
                    )
                )
            }
        }
    }

    /// Renews many leases at once, as ``LeasePolicy/renewed(_:by:permille:at:)`` says. The rows are those of the attempts that
    /// their workers hold, with whether they were renewed: all of them when it waits for locked rows, which it locks in one
    /// order. The leases of a worker that is not there are left alone.
    private static func renewal(_ beats: [WorkerBeat], _ policy: LeasePolicy, waits: Bool) -> Statement {
        var progress: [[UUID]: Int] = [:]
        for beat in beats {
            for attempt in beat.attempts { progress[[beat.worker.uuid, attempt.attempt.uuid]] = attempt.permille }
        }
        let sql = """
            WITH moment AS MATERIALIZED (SELECT farm_now() AS now), named AS MATERIALIZED (
                SELECT lease.attempt, lease.worker, new.permille
                FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS new (worker, attempt, permille)
                JOIN lease ON lease.attempt = new.attempt AND lease.worker = new.worker
                JOIN worker ON worker.id = new.worker AND NOT worker.has_left
                WHERE lease.deadline_ms > (SELECT now FROM moment)
            ), held AS MATERIALIZED (
                SELECT lease.attempt FROM lease WHERE lease.attempt = ANY(SELECT attempt FROM named)
                ORDER BY lease.attempt FOR UPDATE\(waits ? "" : " SKIP LOCKED")
            ), renewed AS (
                UPDATE lease SET until_ms = greatest(until_ms, least((SELECT now FROM moment) + $4::bigint, deadline_ms)),
                    permille = least(1000, greatest(0, named.permille))
                FROM held JOIN named USING (attempt) WHERE lease.attempt = held.attempt RETURNING lease.attempt
            )
            SELECT named.worker, named.attempt, renewed.attempt IS NOT NULL AS is_renewed
            FROM named LEFT JOIN renewed ON renewed.attempt = named.attempt
            """
        let pairs = Array(progress.keys)
        return Statement(
            sql,
            [pairs.map { $0[0] }, pairs.map { $0[1] }, Array(progress.values), policy.leaseMilliseconds]
        )
    }

    /// Notes that workers were heard of, but for those whose rows somebody else holds when it does not wait for them:
    /// these are mostly held by what the same workers say. The rows are locked in the order in which every transaction
    /// locks them.
    private static func hearing(_ workers: [UUID], waits: Bool) -> Statement {
        let sql = """
            WITH heard AS MATERIALIZED (
                SELECT id FROM worker WHERE id = ANY($1::uuid[]) AND NOT has_left
                ORDER BY id FOR NO KEY UPDATE\(waits ? "" : " SKIP LOCKED")
            )
            UPDATE worker SET last_seen_ms = greatest(last_seen_ms, (SELECT farm_now()))
            FROM heard WHERE worker.id = heard.id
            """
        return Statement(sql, [workers])
    }

    package func complete(_ completions: [AttemptCompletion]) async throws(FarmStoreError) -> [CompletionOutcome] {
        // Completions of one job wait for its row, and each commit for the disk: many together wait once.
        let locking = LockedRows.locking(attempts: completions.map(\.attempt))
        // It is asked once the jobs are held: whoever has withdrawn parts of them since has committed.
        return try await transact(opening: locking + [GrantQueue.askingWithdrawal]) {
            [policy] connection, now, results in
            var rows = LockedRows()
            try rows.read(results)
            let isAwaited = try results.last?.first?.get("awaits_withdrawal", as: Bool.self) ?? false
            var writer = ChangeWriter(at: now)
            var outcomes: [CompletionOutcome] = []
            for one in completions {
                writer.hear(one.completion.worker)
                guard let task = rows.task(of: one.attempt), var decision = rows.decision(on: task, policy: policy)
                else {
                    outcomes.append(.leaseLost)
                    continue
                }
                let awaits = isAwaited || writer.convicts
                outcomes.append(decision.complete(one.attempt, one.completion, awaitsWithdrawal: awaits, at: now))
                try writer.write(decision.changes, to: &rows, connection)
                // Only the database knows what has become of the job's other tasks.
                if decision.changes.contains(where: \.changesOtherTasks) { break }
            }
            try writer.finish(connection)
            return outcomes
        }
    }

    package func acceptedArtifact(of attempt: AttemptID) async throws(FarmStoreError) -> ContentDigest? {
        try await transact { connection, _ in
            let sql = """
                SELECT task.artifact FROM task JOIN attempt ON attempt.task = task.id
                WHERE attempt.id = $1 AND task.artifact IS NOT NULL
                """
            return try connection.query(sql, [attempt.uuid]).first?.digest("artifact")
        }
    }

    package func readings(of attempt: AttemptID) async throws(FarmStoreError) -> [[ContentDigest]]? {
        let rows = try await transact { connection, _ in
            let sql = """
                SELECT earlier.stage, earlier.artifact FROM attempt JOIN task AS own ON own.id = attempt.task
                LEFT JOIN task AS earlier ON earlier.job = own.job AND earlier.kind = 'measure'
                    AND earlier.stage < own.stage AND earlier.artifact IS NOT NULL
                WHERE attempt.id = $1 AND attempt.state = 'live' ORDER BY earlier.stage, earlier.position
                """
            return try connection.query(sql, [attempt.uuid]).map {
                (stage: try $0.optional("stage", as: Int.self), artifact: try $0.digest("artifact"))
            }
        }
        guard !rows.isEmpty else { return nil }
        var rounds: [[ContentDigest]] = []
        var last: Int?
        for row in rows {
            guard let stage = row.stage, let artifact = row.artifact else { continue }
            if stage != last { rounds.append([]) }
            rounds[rounds.count - 1].append(artifact)
            last = stage
        }
        return rounds
    }

    package func fail(_ attempt: AttemptID, _ failure: TaskFailure) async throws(FarmStoreError) -> FailureOutcome {
        try await transact(opening: LockedRows.locking(attempts: [attempt])) { [policy] connection, now, results in
            var rows = LockedRows()
            try rows.read(results)
            var writer = ChangeWriter(at: now)
            writer.hear(failure.worker)
            var outcome = FailureOutcome.leaseLost
            if var decision = rows.task(of: attempt).flatMap({ rows.decision(on: $0, policy: policy) }) {
                outcome = decision.fail(attempt, failure, at: now)
                try writer.write(decision.changes, to: &rows, connection)
            }
            try writer.finish(connection)
            return outcome
        }
    }

    package func task(of attempt: AttemptID) async throws(FarmStoreError) -> TaskRecord? {
        try await transact { connection, _ in
            let sql = "SELECT task.* FROM task JOIN attempt ON attempt.task = task.id WHERE attempt.id = $1"
            return try connection.query(sql, [attempt.uuid]).first.map { try TaskRecord($0) }
        }
    }

    package func release(_ worker: WorkerID, _ release: LeaseRelease) async throws(FarmStoreError) {
        try await transact(opening: [Self.presence(of: worker)]) { [policy] connection, now, results in
            _ = try Self.present(results.first)
            var writer = ChangeWriter(at: now)
            writer.hear(worker)
            var rows = LockedRows()
            let named = try release.attempts + (release.leaving ? Self.held(by: worker, connection) : [])
            try rows.read(connection.batch(LockedRows.locking(attempts: named)))
            for attempt in named {
                guard let task = rows.task(of: attempt), var decision = rows.decision(on: task, policy: policy) else {
                    continue
                }
                decision.release(attempt, by: worker, at: now)
                try writer.write(decision.changes, to: &rows, connection)
            }
            if release.leaving { writer.leave(worker) }
            try writer.finish(connection)
        }
    }

    /// The attempts that a worker holds, by identifier.
    private static func held(by worker: WorkerID, _ connection: isolated Connection) throws -> [AttemptID] {
        let sql = "SELECT attempt FROM lease WHERE worker = $1 ORDER BY attempt"
        return try connection.query(sql, [worker.uuid]).map { try $0.identifier("attempt") }
    }

    package func sweep() async throws(FarmStoreError) -> SweepOutcome {
        let opening = [
            Statement("SELECT swept_ms FROM farm FOR UPDATE"),
            Statement(
                """
                SELECT count(*) AS expired FROM lease
                WHERE until_ms <= (SELECT farm_now()) AND until_ms > coalesce((SELECT swept_ms FROM farm), 0)
                """
            ),
            Statement("UPDATE farm SET swept_ms = farm_now()"),
            ChangeWriter.light,
            Self.dueJobs,
        ]
        return try await transact(opening: opening) { [policy] connection, now, results in
            let results = Array(results)
            try Self.followJobs(results[4], connection, at: now)
            let last = try results[0][0].optionalTime("swept_ms")
            guard policy.lease.slept(since: last, at: now) else {
                return .advanced(expired: try results[1][0].get("expired"))
            }
            return .forgave(try Self.forgive(policy.lease, connection, since: last, at: now))
        }
    }

    /// Takes the time that the farm slept out of every lease, as ``LeasePolicy/forgiven(_:since:at:)`` says.
    private static func forgive(
        _ policy: LeasePolicy,
        _ connection: isolated Connection,
        since last: FarmTime?,
        at now: FarmTime
    ) throws -> Int {
        let sql = """
            WITH live AS MATERIALIZED (SELECT attempt FROM lease ORDER BY attempt FOR UPDATE)
            UPDATE lease SET until_ms = least(until_ms + $3::bigint, $1 + $2::bigint, deadline_ms)
            FROM live WHERE lease.attempt = live.attempt
            """
        let gap = policy.timeAsleep(since: last, at: now)
        return try connection.query(sql, [now.milliseconds, policy.leaseMilliseconds, gap]).affectedCount
    }
}

extension FarmChange {
    /// Whether it changes tasks of the job beside the one that was decided on.
    fileprivate var changesOtherTasks: Bool {
        switch self {
        case .cancelOpenTasks, .withdrawTasks, .retryTasks: true
        case .insertAttempt, .endAttempt, .rejectAttempt, .updateTask, .updateJob, .keepPart, .countProvenFailure,
            .convict, .event:
            false
        }
    }
}
