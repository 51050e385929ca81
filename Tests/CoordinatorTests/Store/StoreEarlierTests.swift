import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Jobs that begin after others.
@Suite struct StoreEarlierTests {
    private func insert(_ store: some FarmStore, _ key: String, after jobs: [JobID] = []) async throws -> JobID {
        var job = SampleJob.job(key: key, segments: 1, hasSound: false)
        job.afterJobs = jobs
        return try await store.insertJob(job).job.id
    }

    /// Lets a worker do what it is granted, until nothing is.
    private func work(_ store: some FarmStore, _ worker: WorkerID) async throws {
        while let grant = try await store.acquire(worker).first {
            #expect(try await store.complete(grant, by: worker) == .accepted)
        }
    }

    private func fail(_ store: some FarmStore, _ job: JobID, by worker: WorkerID) async throws {
        let grant = try #require(try await store.acquire(worker).first)
        #expect(grant.job == job)
        let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
        _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        #expect(try await store.job(job)?.state == .failed)
    }

    private func checkOrder(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        let worker = try await store.register("worker")
        let first = try await insert(store, "first")
        let second = try await insert(store, "second")
        let third = try await insert(store, "third", after: [second, first])
        #expect(try await store.job(third)?.afterJobs == [second, first])
        #expect(try await store.job(third)?.awaitedJobs == [second, first])
        #expect(try await store.standings(of: [third])[third] == JobStanding())
        // A higher priority does not put it before what it awaits.
        #expect(try await store.control(third, .priority(9)) == .done)
        for job in [first, second].sorted() {
            let picture = try #require(try await store.acquire(worker, kinds: [.picture]).first)
            #expect(picture.job == job)
            #expect(try await store.complete(picture, by: worker) == .accepted)
        }
        #expect(try await store.acquire(worker, kinds: [.picture]).isEmpty)
        try await work(store, worker)
        #expect(try await store.job(first)?.state == .completed)
        #expect(try await store.acquire(worker).isEmpty, "no sweep has seen them completed")
        _ = try await store.sweep()
        #expect(try await store.job(third)?.awaitedJobs == nil)
        try await work(store, worker)
        #expect(try await store.job(third)?.state == .completed)
        // All are completed when it is submitted: nothing is awaited.
        let fourth = try await insert(store, "fourth", after: [first, third])
        #expect(try await store.acquire(worker).first?.job == fourth)
        #expect(try await store.job(fourth)?.awaitedJobs == nil)
        let unknown = JobID(uuid: UUID())
        let error = await #expect(throws: FarmStoreError.self) { try await insert(store, "fifth", after: [unknown]) }
        #expect(error == .unknown(unknown))
        let twice = await #expect(throws: FarmStoreError.self) {
            try await insert(store, "fifth", after: [first, first])
        }
        #expect(twice?.code == "invalid_request")
    }

    @Test func theModelKeepsTheOrder() async throws {
        try await checkOrder(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKeepsTheOrder() async throws { try await checkOrder(StoreDatabase.store()) }

    private func checkFailure(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        let worker = try await store.register("worker")
        let first = try await insert(store, "first")
        let second = try await insert(store, "second", after: [first])
        let third = try await insert(store, "third", after: [second])
        try await fail(store, first, by: worker)
        // One sweep for each link of the chain.
        for _ in 0..<2 { _ = try await store.sweep() }
        let lost = try #require(try await store.job(second))
        #expect(lost.state == .failed && lost.failure?.code == FarmFailure.earlierJobFailed)
        #expect(
            lost.failure?.message == "Job \(first) (“first.edit”), after which this one was to begin, failed. Retry "
                + "that one: cutfarm retry \(first). Then this one goes on by itself."
        )
        #expect(try await store.job(third)?.failure?.message.contains("\(second)") == true)
        // Retried by itself it fails again.
        #expect(try await store.control(second, .retry) == .done)
        #expect(try await store.acquire(worker).isEmpty)
        _ = try await store.sweep()
        #expect(try await store.job(second)?.state == .failed)

        try await store.setClock(FarmConformance.start.adding(milliseconds: 1000))
        #expect(try await store.control(first, .retry) == .done)
        for _ in 0..<2 { _ = try await store.sweep() }
        for job in [second, third] {
            let view = try #require(try await store.job(job))
            #expect(view.state == .queued && view.failure == nil && view.finished == nil)
            #expect(view.tasks == TaskCounts(queued: 2))
        }
        for job in [first, second, third] {
            let picture = try #require(try await store.acquire(worker).first)
            #expect(picture.job == job)
            #expect(try await store.complete(picture, by: worker) == .accepted)
            try await work(store, worker)
            #expect(try await store.job(job)?.state == .completed)
            _ = try await store.sweep()
        }
    }

    @Test func theModelLetsRetriedChainsGoOn() async throws {
        try await checkFailure(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresLetsRetriedChainsGoOn() async throws { try await checkFailure(StoreDatabase.store()) }

    private func checkCancelled(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        let first = try await insert(store, "first")
        let waiting = try await insert(store, "second", after: [first])
        let cancelled = try await insert(store, "third", after: [first])
        _ = try await store.cancel(cancelled)
        _ = try await store.cancel(first)
        _ = try await store.sweep()
        let message = try await store.job(waiting)?.failure?.message
        #expect(message?.contains("was cancelled. Submit this one again without it.") == true, "\(message ?? "")")
        #expect(try await store.job(cancelled)?.state == .cancelled)
        // As if it had been submitted a moment before.
        let late = try await insert(store, "fourth", after: [first])
        #expect(try await store.job(late)?.state == .queued)
        _ = try await store.sweep()
        #expect(try await store.job(late)?.state == .failed)
    }

    @Test func theModelFailsWhatCannotBegin() async throws {
        try await checkCancelled(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresFailsWhatCannotBegin() async throws { try await checkCancelled(StoreDatabase.store()) }
}
