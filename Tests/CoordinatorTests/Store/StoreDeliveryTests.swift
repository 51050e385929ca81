import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Where movies go by themselves, as both stores know it.
@Suite struct StoreDeliveryTests {
    private func job(_ key: String, to target: String, replaces: Bool = false, isOccupied: Bool = false) -> NewJob {
        var job = SampleJob.job(key: key, segments: 1, hasSound: false)
        job.delivery = NewDelivery(target: target, replaces: replaces, isOccupied: isOccupied)
        return job
    }

    private func finish(_ store: some FarmStore, _ worker: WorkerID) async throws {
        while let grant = try await store.acquire(worker).first {
            #expect(try await store.complete(grant, by: worker) == .accepted)
        }
    }

    private func check(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        let worker = try await store.register("worker")
        let first = try await store.insertJob(job("first", to: "exports/a.mp4")).job.id
        #expect(try await store.insertJob(job("first", to: "exports/a.mp4")).job.id == first, "it is the same twice")
        let refused = await #expect(throws: FarmStoreError.self) {
            try await store.insertJob(job("second", to: "exports/a.mp4", replaces: true))
        }
        #expect(refused?.description.hasPrefix("The movie of job \(first) goes to exports/a.mp4 too;") == true)
        // Two of one request; the others of it are stored.
        let rows = try await store.insertJobs([
            job("third", to: "exports/b.mp4"), job("fourth", to: "exports/b.mp4"), job("fifth", to: "archive/b.mp4"),
            job("sixth", to: "exports/c.mp4", isOccupied: true),
            job("seventh", to: "exports/c.mp4", replaces: true, isOccupied: true),
        ])
        #expect(rows.map { (try? $0.get()) != nil } == [true, false, true, false, true])
        // What was cancelled claims nothing.
        _ = try await store.cancel(try rows[0].get().job.id)
        let again = try await store.insertJob(job("eighth", to: "exports/b.mp4")).job.id
        #expect(try await store.dueDeliveries(in: ["exports"], limit: 9).isEmpty, "nothing is finished")
        try await finish(store, worker)
        let due = try await store.dueDeliveries(in: ["exports"], limit: 9)
        #expect(due.map(\.job) == [first, try rows[4].get().job.id, again].sorted())
        let movie = try await store.job(first)?.artifact
        #expect(due.first { $0.job == first }?.artifact == movie && movie != nil)
        #expect(due.map(\.replaces).contains(true))
        #expect(try await store.dueDeliveries(in: ["archive", "gone"], limit: 9).map(\.target) == ["archive/b.mp4"])
        // A finished movie that does not lie there yet keeps its place.
        await #expect(throws: FarmStoreError.self) { try await store.insertJob(job("ninth", to: "exports/a.mp4")) }
        #expect(try await store.note(.failed("A file lies there.", retryMilliseconds: 500), of: first))
        #expect(try await store.job(first)?.delivery?.problem == "A file lies there.")
        #expect(try await !store.dueDeliveries(in: ["exports"], limit: 9).map(\.job).contains(first))
        try await store.setClock(FarmConformance.start.adding(milliseconds: 500))
        #expect(
            try await store.dueDeliveries(in: ["exports"], limit: 9).last?.job == first,
            "it is due again, and last"
        )
        #expect(try await store.note(.delivered, of: first))
        #expect(try await store.note(.delivered, of: first) == false, "it lay there")
        #expect(try await store.note(.failed("late", retryMilliseconds: 1), of: first) == false)
        let delivered = JobDelivery(
            to: "exports/a.mp4",
            delivered: FarmConformance.start.adding(milliseconds: 500).date
        )
        #expect(try await store.job(first)?.delivery == delivered)
        let events = try await store.events(after: 0, job: first, limit: 99).filter { $0.task == nil }
        #expect(events.map(\.state).suffix(2) == ["completed", "delivered"])
        _ = try await store.insertJob(job("tenth", to: "exports/a.mp4"))
    }

    @Test func theModelKnowsWhereMoviesGo() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    @Test func theDatabaseKnowsWhereMoviesGo() async throws { try await check(StoreDatabase.store()) }

    /// Requests of several owners to several coordinators at once: one has the place.
    @Test func oneOfManyAtOnceHasThePlace() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    var job = job("\(number)", to: "exports/a.mp4")
                    job.owner = "owner \(number)"
                    return (try? await stores[number % 2].insertJob(job)) != nil
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers.count { $0 } == 1)
    }
}
