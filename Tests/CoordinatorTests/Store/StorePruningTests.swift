import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Planning
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Whoever submits and cancels without end does not fill the database.
@Suite struct StorePruningTests {
    private static var policy: FarmPolicy {
        var policy = FarmPolicy()
        policy.history.tasks = 100
        return policy
    }

    /// The number of rows of the database that belong to jobs, but for the jobs themselves.
    private func rowCount(_ store: PostgresFarmStore) async throws -> Int {
        try await store.transact { connection, _ in
            let tables = ["task", "task_payload", "job_document", "event", "attempt"]
            return try tables.reduce(0) { count, table in
                count + (try connection.query("SELECT count(*) AS rows FROM \(table)")[0].get("rows", as: Int.self))
            }
        }
    }

    @Test func submittingAndCancellingLeavesABoundedNumberOfRows() async throws {
        let store = try await StoreDatabase.open(StoreDatabase.make(), policy: Self.policy)
        var most = 0
        for number in 0..<12 {
            let job = try await store.insertJob(SampleJob.job(key: "\(number)", segments: 40)).job.id
            _ = try await store.cancel(job)
            while try await store.prune(limit: 5) == 5 {}
            most = max(most, try await rowCount(store))
        }
        // Two jobs of 42 tasks each are kept: their rows, payloads, events and documents.
        #expect(most < 4 * 2 * 45, "\(most) rows")
    }

    private func check(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmTime(milliseconds: 1_700_000_000_000))
        let worker = try await store.register("worker")
        let done = try await store.insertJob(SampleJob.job(key: "done", segments: 38, hasSound: false)).job.id
        while try await store.job(done)?.state.isFinal == false {
            for grant in try await store.acquire(worker, capacity: 50) {
                _ = try await store.complete(grant, by: worker)
            }
        }
        let movie = try await store.job(done)?.artifact
        var cancelled: [JobID] = []
        for number in 0..<3 {
            try await store.setClock(FarmTime(milliseconds: 1_700_000_000_000 + Int64(number) + 1))
            let job = SampleJob.job(key: "\(number)", segments: 38, hasSound: false)
            cancelled.append(try await store.insertJob(job).job.id)
            _ = try await store.cancel(cancelled[number])
        }
        // Twice what is kept is the end, until something was removed.
        for number in 3..<5 {
            try await store.setClock(FarmTime(milliseconds: 1_700_000_000_000 + Int64(number) + 1))
            let job = SampleJob.job(key: "\(number)", segments: 38, hasSound: false)
            cancelled.append(try await store.insertJob(job).job.id)
            _ = try await store.cancel(cancelled[number])
        }
        await #expect(throws: FarmStoreError.self) {
            _ = try await store.insertJob(SampleJob.job(key: "x", segments: 1))
        }
        // Another owner has a quota of its own.
        let others = try await store.insertJob(SampleJob.job(key: "x", owner: "other", segments: 1)).job.id
        let before = try await store.job(cancelled[0])
        #expect(try await store.prune(limit: 1) == 1)
        #expect(try await store.prune(limit: 9) == 3)
        #expect(try await store.prune(limit: 9) == 0)
        // What was cancelled goes first, the oldest of it first; 39 and 39 tasks stay.
        for job in cancelled.dropLast() {
            let view = try #require(try await store.job(job))
            #expect(view.isPruned == true && view.tasks == before?.tasks && view.state == .cancelled)
            #expect(try await store.tasks(of: job).isEmpty)
            #expect(try await store.slice(of: .plan, of: job, 0..<9) == nil)
            #expect(try await store.events(after: 0, job: job, limit: 9).isEmpty)
        }
        for job in [done, cancelled[4], others] {
            #expect(try await store.job(job)?.isPruned == nil)
            #expect(try await store.tasks(of: job).isEmpty == false)
        }
        #expect(try await store.job(done)?.artifact == movie && movie != nil)
        #expect(try await store.insertJob(SampleJob.job(key: "y", segments: 1)).isNew)
        #expect(try await store.insertJob(SampleJob.job(key: "0", segments: 38, hasSound: false)).isNew == false)
    }

    @Test func theModelKeepsWhatAnOwnerMayKeep() async throws {
        try await check(
            InMemoryFarmStore(policy: Self.policy, identifiers: IdentifierSource(), clock: .system)
        )
    }

    @Test func postgresKeepsWhatAnOwnerMayKeep() async throws {
        try await check(StoreDatabase.open(StoreDatabase.make(), policy: Self.policy))
    }

    /// Jobs of one stage keep what they made, so that they are nobody's reason to wait for their removal.
    private func checkOneStage(_ store: some ClockedFarmStore) async throws {
        var job = SampleJob.job(key: "measured", segments: 1)
        guard case .sound(let sound) = job.tasks[1].payload else { throw CancellationError() }
        let task = MeasureTask(sound: sound, what: .loudness, start: 0, wholeSampleCount: sound.sampleCount)
        job.tasks = (0..<201).map { NewTask(position: $0, stage: 0, payload: .measure(task), costMilliseconds: 10) }
        let worker = try await store.register("worker")
        let id = try await store.insertJob(job).job.id
        while try await store.job(id)?.state.isFinal == false {
            for grant in try await store.acquire(worker, kinds: [.measure], capacity: 300) {
                _ = try await store.complete(grant, by: worker)
            }
        }
        #expect(try await store.prune(limit: 9) == 0)
        #expect(try await store.insertJob(SampleJob.job(key: "next", segments: 1)).isNew)
    }

    @Test func theModelCountsWhatItCanRemove() async throws {
        try await checkOneStage(InMemoryFarmStore(policy: Self.policy, identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresCountsWhatItCanRemove() async throws {
        try await checkOneStage(StoreDatabase.open(StoreDatabase.make(), policy: Self.policy))
    }

    /// A job that is retried while a coordinator is about to remove its tasks keeps them.
    @Test func aJobThatIsRetriedMeanwhileIsNotPruned() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target, policy: Self.policy)
        let worker = try await store.register("worker")
        let job = try await store.insertJob(SampleJob.job(key: "failed", segments: 120)).job.id
        let grant = try #require(try await store.acquire(worker).first)
        let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
        _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        let holder = try await Connection.open(target, logger: quietStoreLogger)
        try await holder.execute("SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT 1 FROM job FOR UPDATE")
        async let pruned = store.prune(limit: 1)
        let watcher = try await Connection.open(target, logger: quietStoreLogger)
        try await waitUntil {
            try await watcher.run { connection in
                let sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                return try connection.query(sql).count > 0
            }
        }
        // As `retry` leaves the job.
        try await holder.execute("UPDATE job SET state = 'rendering', finished_ms = NULL, failure = NULL; COMMIT")
        _ = try await pruned
        #expect(try await store.tasks(of: job).count == 122)
        #expect(try await store.job(job)?.isPruned == nil)
    }
}
