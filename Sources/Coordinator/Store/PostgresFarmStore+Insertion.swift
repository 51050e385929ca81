package import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore {
    package func insertJob(_ job: NewJob) async throws(FarmStoreError) -> JobInsertion {
        guard let answer = try await insertJobs([job]).first else { throw .unavailable("The store has no answer.") }
        return try answer.get()
    }

    package func insertJobs(
        _ jobs: [NewJob]
    ) async throws(FarmStoreError) -> [Result<JobInsertion, FarmStoreError>] {
        guard let owner = jobs.first?.owner else { return [] }
        guard jobs.allSatisfy({ $0.owner == owner }) else {
            throw .invalid("The jobs of one request are those of one owner.")
        }
        let encoded: [Result<TaskInsertion, FarmStoreError>]
        do {
            let thread = ComputingThread()
            encoded = try await thread.run {
                try jobs.map { job in
                    do throws(FarmStoreError) { try job.validate() } catch { return .failure(error) }
                    return .success(try TaskInsertion(job))
                }
            }
        } catch {
            throw .unavailable("\(error)")
        }
        return try await transact { [identifiers, policy, recentLoads] connection, now in
            var round = JobInsertionRound(owner: owner, policy: policy, recentLoads: recentLoads, at: now)
            try round.open(jobs, connection)
            return try round.insert(Array(zip(jobs, encoded)), identifiers, connection)
        }
    }
}

/// The insertion of an owner's jobs, as if one after the other, in one transaction and few round trips.
private struct JobInsertionRound {
    /// A job that is not there yet.
    private struct Fresh {
        let place: Int
        let job: NewJob
        let record: JobRecord
        let tasks: TaskInsertion
        /// The identifiers of its tasks, in their order.
        let taskIDs: [TaskID]
    }

    let owner: String
    let policy: FarmPolicy
    let recentLoads: RecentLoads
    let now: FarmTime
    /// The jobs that are there under keys that are sent now.
    private var existing: [String: (record: JobRecord, view: JobView)] = [:]
    /// The states of the jobs that are to be followed.
    private var earlier: [JobID: JobState] = [:]
    /// The jobs that claim targets which are sent now.
    private var claimants: [String: JobID] = [:]
    /// The workers that count for audits; read only for jobs that ask for one.
    private var workers: [WorkerRecord] = []
    private var waiting = OwnerLoad()
    private var ended = OwnerLoad()

    init(owner: String, policy: FarmPolicy, recentLoads: RecentLoads, at now: FarmTime) {
        (self.owner, self.policy, self.recentLoads, self.now) = (owner, policy, recentLoads, now)
    }

    /// Reads what the decisions depend on.
    mutating func open(_ jobs: [NewJob], _ connection: isolated Connection) throws {
        try claim(jobs.compactMap(\.delivery?.target), connection)
        try find(jobs.map(\.idempotencyKey), connection)
        let named = Set(jobs.flatMap(\.afterJobs)).map(\.uuid)
        let states = "SELECT id, state FROM job WHERE id = ANY($1::uuid[])"
        for row in named.isEmpty ? [] : Array(try connection.query(states, [named])) {
            earlier[try row.identifier("id")] = try row.word("state")
        }
        if jobs.contains(where: { $0.audit != nil }) {
            let sql = WorkerRecord.selection + " FROM worker WHERE NOT has_left AND last_seen_ms >= $1"
            let oldest = now.adding(milliseconds: -policy.workerAbsenceMilliseconds).milliseconds
            workers = try connection.query(sql, [oldest]).map { try WorkerRecord($0) }
                .filter { policy.isEligible($0, at: now) }
        }
        waiting = try waiting(beside: jobs, connection)
        ended = try PostgresFarmStore.load(of: owner, where: PostgresFarmStore.isPrunable, connection)
    }

    /// What the owner's unfinished jobs come to: as it was a moment ago, where all of `jobs` are admitted beside that, and
    /// else as it is in the database.
    private func waiting(beside jobs: [NewJob], _ connection: isolated Connection) throws -> OwnerLoad {
        var added = OwnerLoad()
        for job in jobs { added.add(job.load) }
        if let recent = recentLoads.load(of: owner, at: now) {
            do throws(FarmStoreError) {
                try policy.quota.admit(added, of: owner, beside: recent)
                return recent
            } catch {
                // Some of those may have ended.
            }
        }
        let load = try PostgresFarmStore.load(of: owner, where: PostgresFarmStore.isUnfinished, connection)
        recentLoads.note(load, of: owner, at: now)
        return load
    }

    /// Reads who claims targets. No other transaction gives a target to a new job meanwhile: the lock is taken before any
    /// other, and is gone with the transaction.
    private mutating func claim(_ targets: [String], _ connection: isolated Connection) throws {
        guard !targets.isEmpty else { return }
        _ = try connection.query("SELECT pg_advisory_xact_lock(hashtext('cutfarm.targets'))::text", [])
        let sql = """
            SELECT target, id FROM job WHERE target = ANY($1::text[]) AND delivered_ms IS NULL
                AND output_removed_ms IS NULL AND state NOT IN ('failed', 'cancelled') ORDER BY id DESC
            """
        for row in try connection.query(sql, [targets]) { claimants[try row.get("target")] = try row.identifier("id") }
    }

    private mutating func find(_ keys: [String], _ connection: isolated Connection) throws {
        let sql = JobViewQuery.select("job.owner = $1 AND job.idempotency_key = ANY($2::text[])", policy)
        for row in try connection.query(sql, [owner, keys]) {
            let record = try JobRecord(row)
            existing[record.idempotencyKey] = (record, try JobViewQuery.view(row))
        }
    }

    /// The job that is there under the key.
    private func found(_ job: NewJob) -> Result<JobInsertion, FarmStoreError>? {
        existing[job.idempotencyKey].map { there in
            there.record.isSame(as: job) ? .success(JobInsertion(job: there.view, isNew: false)) : .failure(.keyTaken)
        }
    }

    /// Decides about each job in order, and stores those that are new.
    mutating func insert(
        _ jobs: [(NewJob, Result<TaskInsertion, FarmStoreError>)],
        _ identifiers: IdentifierSource,
        _ connection: isolated Connection
    ) throws -> [Result<JobInsertion, FarmStoreError>] {
        var answers: [Result<JobInsertion, FarmStoreError>?] = Array(repeating: nil, count: jobs.count)
        var fresh: [Fresh] = []
        // Those of a key that stands in this request before: what is known of their job follows once it is stored.
        var repeated: [(place: Int, job: NewJob)] = []
        for (place, (job, encoded)) in jobs.enumerated() {
            if case .success = encoded, let answer = found(job) {
                answers[place] = answer
                if fresh.contains(where: { $0.job.idempotencyKey == job.idempotencyKey }) {
                    repeated.append((place, job))
                }
                continue
            }
            do throws(FarmStoreError) {
                let tasks = try encoded.get()
                let record = try admit(job, identifiers)
                let ids: [TaskID] = job.tasks.map { _ in identifiers.next(at: now) }
                fresh.append(Fresh(place: place, job: job, record: record, tasks: tasks, taskIDs: ids))
                var view = record.view(tasks: TaskCounts(queued: job.tasks.count), permille: 0)
                view.trace = job.trace?.parent.trace
                existing[job.idempotencyKey] = (record, view)
                answers[place] = .success(JobInsertion(job: view, isNew: true))
            } catch {
                answers[place] = .failure(error)
            }
        }
        for lost in try store(fresh, connection) { answers[lost.place] = found(lost.job) }
        if !repeated.isEmpty { try find(repeated.map(\.job.idempotencyKey), connection) }
        for (place, job) in repeated { answers[place] = found(job) }
        return answers.compactMap(\.self)
    }

    /// - Throws: ``FarmStoreError/invalid(_:)`` for an unknown job to begin after; ``FarmStoreError/noAuditor(_:)``;
    ///   ``FarmStoreError/overQuota(_:)``; ``FarmStoreError/targetTaken(_:)``.
    private mutating func admit(
        _ job: NewJob,
        _ identifiers: IdentifierSource
    ) throws(FarmStoreError) -> JobRecord {
        for id in job.afterJobs where earlier[id] == nil { throw .unknown(id) }
        try DeadlinePolicy.admit(job.deadline, at: now)
        try job.delivery?.admit(beside: job.delivery.flatMap { claimants[$0.target] })
        try AuditPolicy.admit(job.audit, with: workers)
        try policy.quota.admit(job, beside: waiting)
        try policy.history.admit(owner, having: ended)
        waiting.add(job.load)
        var record = JobRecord(job, id: identifiers.next(at: now), created: now)
        record.awaitedJobs.removeAll { earlier[$0] == .completed }
        if let target = record.delivery?.target { claimants[target] = record.id }
        return record
    }

    /// Stores jobs with everything of them. Two of a key that arrive at once meet at the unique index: one waits for the
    /// other to commit.
    /// - Returns: those for which others were first, which are in ``existing`` now.
    private mutating func store(_ fresh: [Fresh], _ connection: isolated Connection) throws -> [Fresh] {
        guard !fresh.isEmpty else { return [] }
        // In one order, so that two requests with the same keys never wait for each other in a ring.
        let ordered = fresh.sorted { $0.job.idempotencyKey < $1.job.idempotencyKey }
        let insertions = try ordered.map { try $0.record.insertion($0.job.versions, $0.job.load) }
        let results = try connection.batch(insertions)
        let lost = zip(ordered, results).filter { $1.affectedCount != 1 }.map(\.0)
        let places = Set(lost.map(\.place))
        let stored = fresh.filter { !places.contains($0.place) }
        var added = OwnerLoad()
        for one in stored { added.add(one.job.load) }
        recentLoads.add(added, of: owner, at: now)
        if !lost.isEmpty { try find(lost.map(\.job.idempotencyKey), connection) }
        var writer = ChangeWriter(at: now)
        var rows = LockedRows()
        writer.add([Statement("INSERT INTO owner (name) VALUES ($1) ON CONFLICT DO NOTHING", [owner])])
        try writer.flush(connection)
        try connection.copy(
            rows: stored.map { [.uuid($0.record.id.uuid), .bytes($0.job.composition), .bytes($0.job.plan)] },
            into: "job_document (job, composition, plan)"
        )
        let assets = stored.map { fresh in
            Statement(
                "INSERT INTO job_assets (job, digests) VALUES ($1, $2::text[])",
                [fresh.record.id.uuid, fresh.tasks.assets]
            )
        }
        let named = stored.compactMap { fresh in
            fresh.job.webhook.map { webhook in
                Statement(
                    "INSERT INTO job_webhook (job, webhook) VALUES ($1, $2)",
                    [fresh.record.id.uuid, webhook.uuid]
                )
            }
        }
        let traced = stored.compactMap { fresh in
            fresh.job.trace.map { trace in
                Statement(
                    "INSERT INTO job_trace (job, traceparent, submit_ms, plan_ms) VALUES ($1, $2, $3, $4)",
                    [fresh.record.id.uuid, trace.parent.text, trace.submitMilliseconds, trace.planMilliseconds]
                )
            }
        }
        try connection.batch(assets + named + traced)
        try TaskInsertion.write(stored.map { ($0.record, $0.tasks, $0.taskIDs) }, connection)
        let events = stored.map { FarmChange.event($0.record.id, nil, state: $0.record.state.rawValue) }
        try writer.write(events, to: &rows, connection)
        try writer.finish(connection)
        return lost
    }
}
