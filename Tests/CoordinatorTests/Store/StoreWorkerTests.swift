import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// What the store says of workers.
@Suite struct StoreWorkerTests {
    private func counts(_ store: some FarmStore, _ worker: WorkerID) async throws -> [Int] {
        let view = try #require(try await store.workers().first { $0.id == worker })
        return [view.running, view.completed, view.failed]
    }

    /// A worker that completed one task of three, failed one, and has one under way.
    private func worked(_ store: some FarmStore) async throws -> WorkerID {
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 3, hasSound: false))
        let worker = try await store.register("worker")
        let grants = try await store.acquire(worker, kinds: [.picture], capacity: 3)
        #expect(try await store.complete(grants[0], by: worker) == .accepted)
        let failure = Failure(code: "render_failed", message: "It failed.", isPermanent: false)
        _ = try await store.fail(grants[1].attempt, TaskFailure(worker: worker, failure: failure))
        return worker
    }

    @Test func attemptsOfAWorkerAreCounted() async throws {
        func check(_ store: some FarmStore) async throws {
            let worker = try await worked(store)
            #expect(try await counts(store, worker) == [1, 1, 1])
        }
        try await check(StoreDatabase.store())
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    /// An attempt whose bytes turn out to be wrong was completed and has failed.
    @Test func aRejectedAttemptHasFailed() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(FarmPieces.job(parts: 1))
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker, kinds: [.picture]).first)
        #expect(try await store.complete(grant, by: worker) == .accepted)
        #expect(try await counts(store, worker) == [0, 1, 0])
        try await store.transact { connection, now in
            _ = try connection.batch([BlockedWorker.conviction("worker", [], "Its bytes differ.", at: now)])
        }
        #expect(try await store.withdrawFaulty().map(\.tasks) == [[grant.task]])
        #expect(try await counts(store, worker) == [0, 0, 1])
    }

    /// During an upgrade a coordinator of the earlier version accepts without counting.
    @Test func noNumberFallsBelowZero() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(FarmPieces.job(parts: 1))
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker, kinds: [.picture]).first)
        #expect(try await store.complete(grant, by: worker) == .accepted)
        try await store.transact { connection, now in
            try connection.execute("UPDATE worker SET completed_attempts = 0")
            _ = try connection.batch([BlockedWorker.conviction("worker", [], "Its bytes differ.", at: now)])
        }
        #expect(try await store.withdrawFaulty().map(\.tasks) == [[grant.task]])
        #expect(try await counts(store, worker) == [0, 0, 1])
    }

    /// The numbers that an earlier version counted each time.
    @Test func attemptsOfAnEarlierVersionAreCounted() async throws {
        let target = try await StoreDatabase.make()
        let first = try await StoreDatabase.open(target)
        let worker = try await worked(first)
        try await first.transact { connection, _ in
            try connection.execute(
                """
                ALTER TABLE worker DROP COLUMN completed_attempts, DROP COLUMN failed_attempts;
                DELETE FROM schema_migration WHERE number >= 34;
                """
            )
        }
        #expect(try await counts(StoreDatabase.open(target), worker) == [1, 1, 1])
    }
}
