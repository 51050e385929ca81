import CompositionModel
import Farm
import FarmSimulation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Which deadlines both stores take, and which are missed.
@Suite struct StoreDeadlineTests {
    /// A new job is refused; the same submission again gives its job, whatever time it is.
    private func check(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        var job = SampleJob.job(key: "first", segments: 1, hasSound: false)
        job.deadline = FarmConformance.start
        let refused = await #expect(throws: FarmStoreError.self) { try await store.insertJob(job) }
        #expect(
            refused?.description
                == "The deadline 2023-11-14T22:13:20Z has passed already; name a later one, or leave it out."
        )
        job.deadline = FarmConformance.start.adding(milliseconds: 1)
        let id = try await store.insertJob(job).job.id
        try await store.setClock(FarmConformance.start.adding(milliseconds: 60_000))
        #expect(try await store.insertJob(job).job.id == id)
        job.idempotencyKey = "second"
        await #expect(throws: FarmStoreError.self) { try await store.insertJob(job) }
    }

    @Test func theModelTakesNoDeadlineThatHasPassed() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    @Test func theDatabaseTakesNoDeadlineThatHasPassed() async throws { try await check(StoreDatabase.store()) }

    private func checkMissed(_ store: some ClockedFarmStore) async throws {
        func at(_ seconds: Int64) -> FarmTime { FarmConformance.start.adding(milliseconds: seconds * 1000) }
        try await store.setClock(at(0))
        let worker = try await store.register("worker")
        func insert(_ key: String, deadline: Int64) async throws -> JobID {
            var job = SampleJob.job(key: key, segments: 1, hasSound: false)
            job.deadline = at(deadline)
            return try await store.insertJob(job).job.id
        }
        /// Stores a job, and has its picture granted.
        func begin(_ key: String, deadline: Int64) async throws -> LeaseGrant {
            let job = try await insert(key, deadline: deadline)
            return try #require(try await store.acquire(worker).first { $0.job == job })
        }
        let early = try await begin("failed before its deadline", deadline: 20)
        let late = try await begin("failed after its deadline", deadline: 2)
        let done = try await begin("completed after its deadline", deadline: 2)
        let cancelled = try await insert("cancelled", deadline: 2)
        let waiting = try await insert("not ended", deadline: 15)
        _ = try await insert("its deadline is to come", deadline: 100)
        try await store.setClock(at(4))
        let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
        for grant in [early, late] {
            _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        }
        #expect(try await store.complete(done, by: worker) == .accepted)
        let join = try #require(try await store.acquire(worker, kinds: [.stitch]).first)
        #expect(try await store.complete(join, by: worker) == .accepted)
        #expect(try await store.job(done.job)?.state == .completed)
        _ = try await store.cancel(cancelled)

        func missed(_ since: Int64, _ until: Int64, of owner: String? = nil) async throws -> [JobID] {
            let period = FarmPeriod(since: at(since), until: at(until), owner: owner)
            let jobs = try await store.jobs(of: .late, in: period, limit: 9).map(\.id)
            #expect(try await store.tally(of: period).totals.late == jobs.count)
            return jobs
        }
        let atOnce: [JobID] = [late.job, done.job].sorted().reversed()
        try await store.setClock(at(10))
        #expect(try await missed(0, 10) == atOnce)
        #expect(try await missed(0, 4).isEmpty, "the end is exclusive")
        #expect(try await missed(0, 1000) == atOnce, "no deadline has passed that is to come")
        try await store.setClock(at(30))
        let all = try await missed(0, 30)
        #expect(Set(all) == Set(atOnce + [early.job, waiting]) && all.count == 4 && all.last == waiting)
        #expect(try await missed(10, 30) == [early.job, waiting])
        #expect(try await missed(0, 16) == atOnce + [waiting])
        #expect(try await missed(20, 21) == [early.job, waiting])
        #expect(try await missed(0, 30, of: "nobody").isEmpty)
    }

    @Test func theModelCountsWhatMissedItsDeadline() async throws {
        try await checkMissed(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    @Test func theDatabaseCountsWhatMissedItsDeadline() async throws { try await checkMissed(StoreDatabase.store()) }
}
