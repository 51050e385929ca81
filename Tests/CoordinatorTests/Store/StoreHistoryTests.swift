import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct StoreHistoryTests {
    private func check(_ store: some ClockedFarmStore) async throws {
        let start = FarmTime(milliseconds: 1_700_000_000_000)
        try await store.setClock(start)
        let worker = try await store.register("worker")
        let old = try await store.insertJob(SampleJob.job(key: "old", segments: 1, hasSound: false)).job.id
        while try await store.job(old)?.state.isFinal == false {
            for grant in try await store.acquire(worker) { _ = try await store.complete(grant, by: worker) }
        }
        try await store.setClock(start.adding(milliseconds: 5000))
        let recent = try await store.insertJob(SampleJob.job(key: "recent", segments: 1)).job.id
        try await store.setClock(start.adding(milliseconds: 5001))
        let live = try await store.insertJob(SampleJob.job(key: "live", segments: 1)).job.id
        #expect(try await !store.acquire(worker).isEmpty)
        _ = try await store.cancel(recent)
        let last = try await store.lastEvent()
        #expect(try await store.events(after: 0, job: nil, limit: 1000).last?.sequence == last)

        #expect(try await store.forget(finishedBefore: 10_000, limit: 10) == 0)
        try await store.setClock(start.adding(milliseconds: 9000))
        let movie = try await store.job(old)?.artifact
        let done = try await store.workers().first { $0.id == worker }?.completed
        #expect(try await store.forget(finishedBefore: 8000, limit: 10) == 1)
        #expect(try await store.forget(finishedBefore: 8000, limit: 10) == 0, "once")
        // What a worker did stays in its numbers.
        #expect(try #require(done) > 0)
        #expect(try await store.workers().first { $0.id == worker }?.completed == done)
        #expect(try await store.events(after: 0, job: old, limit: 10).isEmpty)
        #expect(try await store.tasks(of: old).allSatisfy { $0.attempts.isEmpty && $0.state == .completed })
        #expect(movie != nil)
        #expect(try await store.job(old)?.artifact == movie)
        #expect(try await store.events(after: 0, job: recent, limit: 10).isEmpty == false)
        #expect(try await store.events(after: 0, job: live, limit: 10).isEmpty == false)
        #expect(try await store.tasks(of: recent).contains { !$0.attempts.isEmpty })
        #expect(try await store.lastEvent() == last)
        _ = try await store.insertJob(SampleJob.job(key: "next", segments: 1))
        #expect(try await store.lastEvent() == last + 1)
        #expect(try await store.events(after: last, job: nil, limit: 10).map(\.sequence) == [last + 1])
    }

    /// A farm without work, whose workers come and go.
    @Test func oldRegistrationsGoWithoutAnyJob() async throws {
        let store = try await StoreDatabase.store()
        let start = FarmTime(milliseconds: 1_700_000_000_000)
        func registrations() async throws -> Set<WorkerID> {
            try await store.transact { connection, _ in
                Set(try connection.query("SELECT id FROM worker").map { try $0.identifier("id") })
            }
        }
        store.setClock(start)
        _ = try await store.register("old")
        let busy = try await store.register("busy")
        _ = try await store.insertJob(SampleJob.job(key: "live", segments: 1))
        #expect(try await !store.acquire(busy).isEmpty)
        store.setClock(start.adding(milliseconds: 5000))
        let young = try await store.register("young")
        store.setClock(start.adding(milliseconds: 9000))
        #expect(try await store.forget(finishedBefore: 8000, limit: 10) == 0)
        #expect(try await registrations() == [busy, young])
    }

    @Test func theModelForgetsOldHistoryOnly() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresForgetsOldHistoryOnly() async throws { try await check(StoreDatabase.store()) }
}
