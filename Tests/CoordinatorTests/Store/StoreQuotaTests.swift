import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What an owner's unfinished jobs come to is not added up for each job that is stored.
@Suite struct StoreQuotaTests {
    private static let start = FarmTime(milliseconds: 1_700_000_000_000)

    private func job(_ key: String) -> NewJob { SampleJob.job(key: key, segments: 8, hasSound: false) }

    /// Two jobs are allowed.
    private var policy: FarmPolicy {
        var policy = FarmPolicy()
        policy.quota.tasks = 2 * job("a").tasks.count
        return policy
    }

    /// The refusal of a job; nil when it was stored.
    private func refusal(_ key: String, by store: PostgresFarmStore) async throws -> FarmStoreError? {
        do throws(FarmStoreError) {
            _ = try await store.insertJob(job(key))
            return nil
        } catch { return error }
    }

    /// Jobs that ended since they were counted make room at once: nothing is refused by a reading of a moment ago.
    @Test func whatEndedMakesRoomAtOnce() async throws {
        let store = try await StoreDatabase.store(policy: policy)
        store.setClock(Self.start)
        let first = try await store.insertJob(job("a")).job.id
        #expect(try await refusal("b", by: store) == nil)
        #expect(try await refusal("c", by: store)?.code == "quota_exceeded")
        _ = try await store.cancel(first)
        #expect(try await refusal("c", by: store) == nil)
        #expect(try await refusal("d", by: store)?.code == "quota_exceeded")
    }

    /// What another coordinator stored counts a second later.
    @Test func whatAnotherCoordinatorStoredCountsASecondLater() async throws {
        let target = try await StoreDatabase.make()
        let (own, other) = (
            try await StoreDatabase.open(target, policy: policy), try await StoreDatabase.open(target, policy: policy)
        )
        for store in [own, other] { store.setClock(Self.start) }
        #expect(try await refusal("a", by: own) == nil)
        #expect(try await refusal("b", by: other) == nil)
        let late = Self.start.adding(milliseconds: RecentLoads.lifetimeMilliseconds)
        own.setClock(late.adding(milliseconds: -1))
        #expect(try await refusal("c", by: own) == nil)
        own.setClock(late)
        #expect(try await refusal("d", by: own)?.code == "quota_exceeded")
    }

    /// A job that failed and is retried counts again.
    @Test func whatIsRetriedCounts() async throws {
        let store = try await StoreDatabase.store(policy: policy)
        store.setClock(Self.start)
        let worker = try await store.register("worker")
        let first = try await store.insertJob(job("a")).job.id
        let grant = try #require(try await store.acquire(worker).first)
        let failure = Failure(code: "source_damaged", message: "It is damaged.", isPermanent: true)
        _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        #expect(try await store.job(first)?.state == .failed)
        // A second passes, and what is read then does not have the job that failed.
        store.setClock(Self.start.adding(milliseconds: RecentLoads.lifetimeMilliseconds))
        #expect(try await refusal("b", by: store) == nil)
        #expect(try await store.control(first, .retry) == .done)
        #expect(try await refusal("c", by: store)?.code == "quota_exceeded")
    }

    @Test func aReadingLastsForASecond() {
        let loads = RecentLoads()
        let load = OwnerLoad(tasks: 3, bytes: 5)
        func known(_ milliseconds: Int64) -> OwnerLoad? {
            loads.load(of: "anna", at: Self.start.adding(milliseconds: milliseconds))
        }
        loads.add(load, of: "anna", at: Self.start)
        #expect(known(0) == nil, "what was never read is not known")
        loads.note(load, of: "anna", at: Self.start)
        loads.add(load, of: "anna", at: Self.start.adding(milliseconds: 300))
        loads.add(load, of: "ben", at: Self.start)
        #expect(known(0) == OwnerLoad(tasks: 6, bytes: 10) && known(999) == known(0))
        #expect(known(1000) == nil && known(-1) == nil)
        #expect(loads.load(of: "ben", at: Self.start) == nil)
        // What is being stored while it is read anew may not be in the reading.
        loads.note(load, of: "anna", at: Self.start.adding(milliseconds: 1200))
        #expect(known(1200) == OwnerLoad(tasks: 6, bytes: 10))
        loads.note(load, of: "anna", at: Self.start.adding(milliseconds: 1300))
        #expect(known(1300) == load)
        // Reading another's load a second later forgets the first.
        loads.note(load, of: "ben", at: Self.start.adding(milliseconds: 2300))
        #expect(known(1300) == nil)
    }
}
