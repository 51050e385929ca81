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
        #expect(refused?.code == "target_taken", "it may be sent again later")
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
        #expect(try await store.claimDeliveries(in: ["exports"], limit: 9).isEmpty, "nothing is finished")
        try await finish(store, worker)
        let due = try await store.claimDeliveries(in: ["exports"], limit: 9)
        #expect(due.map(\.job) == [first, try rows[4].get().job.id, again].sorted())
        let movie = try await store.job(first)?.artifact
        #expect(due.first { $0.job == first }?.artifact == movie && movie != nil)
        #expect(due.map(\.replaces).contains(true))
        #expect(try await store.claimDeliveries(in: ["archive", "gone"], limit: 9).map(\.target) == ["archive/b.mp4"])
        #expect(try await store.claimDeliveries(in: ["exports", "archive"], limit: 9).isEmpty, "all are claimed")
        // A finished movie that does not lie there yet keeps its place.
        await #expect(throws: FarmStoreError.self) { try await store.insertJob(job("ninth", to: "exports/a.mp4")) }
        let claim = try #require(due.first { $0.job == first })
        #expect(try await store.note(.failed("A file lies there.", retryMilliseconds: 500), of: claim))
        #expect(try await store.job(first)?.delivery?.problem == "A file lies there.")
        #expect(try await store.renew(claim) == nil, "it is given back")
        #expect(try await store.claimDeliveries(in: ["exports"], limit: 9).isEmpty)
        try await store.setClock(FarmConformance.start.adding(milliseconds: 500))
        let second = try await store.claimDeliveries(in: ["exports"], limit: 9)
        #expect(second.map(\.job) == [first], "it is due again")
        #expect(try await store.note(.failed("late", retryMilliseconds: 1), of: claim) == false, "that claim is lost")
        #expect(try await store.job(first)?.delivery?.problem == "A file lies there.")
        #expect(try await store.note(.delivered, of: second[0]))
        #expect(try await store.note(.delivered, of: second[0]) == false, "it lay there")
        #expect(try await store.note(.failed("late", retryMilliseconds: 1), of: second[0]) == false)
        #expect(try await store.renew(second[0]) == nil)
        let delivered = JobDelivery(
            to: "exports/a.mp4",
            delivered: FarmConformance.start.adding(milliseconds: 500).date
        )
        #expect(try await store.job(first)?.delivery == delivered)
        let events = try await store.events(after: 0, job: first, limit: 99).filter { $0.task == nil }
        #expect(events.map(\.state).suffix(2) == ["completed", "delivered"])
        _ = try await store.insertJob(job("tenth", to: "exports/a.mp4"))
        try await checkThatClaimsEnd(store, due.filter { $0.job != first })
    }

    /// A claim that is renewed lasts; one whose coordinator was killed ends, and the next coordinator has the movie.
    private func checkThatClaimsEnd(_ store: some ClockedFarmStore, _ held: [DueDelivery]) async throws {
        func wait(until milliseconds: Int64) async throws {
            try await store.setClock(FarmConformance.start.adding(milliseconds: milliseconds))
        }
        try #require(held.count == 2)
        try await wait(until: 14_999)
        let renewed = try #require(try await store.renew(held[0]))
        #expect(
            renewed.claimedUntil == FarmConformance.start.adding(milliseconds: 29_999) && renewed.job == held[0].job
        )
        #expect(try await store.renew(held[0]) == nil, "a claim that was renewed has another end")
        #expect(try await store.claimDeliveries(in: ["exports"], limit: 9).isEmpty)
        try await wait(until: 15_000)
        #expect(try await store.claimDeliveries(in: ["exports"], limit: 9).map(\.job) == [held[1].job])
        #expect(try await store.renew(held[1]) == nil, "somebody else has it")
        // It lies there all the same, and whoever has the claim now hears of it.
        #expect(try await store.note(.delivered, of: held[1]))
        #expect(try await store.job(held[1].job)?.delivery?.delivered != nil)
        try await wait(until: 29_999)
        #expect(try await store.claimDeliveries(in: ["exports"], limit: 9).map(\.job) == [held[0].job])
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
