import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Windows in the store: what may begin when, and who follows their changes.
@Suite struct StoreWindowTests {
    /// 21:00 in Berlin on a Saturday, in the night of which the clocks go back.
    private let evening = FarmTime(milliseconds: 1_792_868_400_000)
    private static let minute: Int64 = 60_000

    private func job(_ key: String, segments: Int = 3) throws -> NewJob {
        var job = SampleJob.job(key: key, segments: segments, hasSound: false)
        job.window = JobWindow(
            after: try #require(WallTime("22:00")),
            until: try #require(WallTime("02:30")),
            timeZone: "Europe/Berlin"
        )
        return job
    }

    /// Passes the time until `minutes` after the evening, as a farm of which somebody sweeps does.
    private func pass(_ store: some ClockedFarmStore, to minutes: Int64, sweeps: Bool = true) async throws {
        try await store.setClock(evening.adding(milliseconds: minutes * Self.minute))
        guard sweeps else { return }
        // The first finds that the farm slept, and the leases go on.
        _ = try await store.sweep()
        _ = try await store.sweep()
    }

    private func windowOpens(_ store: some FarmStore, _ job: JobID) async throws -> FarmTime? {
        try await store.job(job)?.windowOpens.map {
            FarmTime(milliseconds: Int64($0.timeIntervalSince1970 * 1000))
        }
    }

    private func checkNight(_ store: some ClockedFarmStore) async throws {
        try await pass(store, to: 0)
        let job = try await store.insertJob(try job("night")).job.id
        let worker = try await store.register("worker")
        #expect(try await store.acquire(worker).isEmpty, "it is 21:00")
        #expect(try await windowOpens(store, job) == evening.adding(milliseconds: 60 * Self.minute))
        #expect(try await store.standings(of: [job])[job] == JobStanding())

        try await pass(store, to: 60, sweeps: false)
        #expect(try await store.acquire(worker).isEmpty, "nobody has followed the window yet")
        _ = try await store.sweep()
        #expect(try await windowOpens(store, job) == nil)
        try await pass(store, to: 329)
        let first = try #require(try await store.acquire(worker).first)
        let second = try #require(try await store.acquire(worker).first)

        // 02:30 comes twice; the window ends at the first, five and a half hours after 21:00.
        try await pass(store, to: 330, sweeps: false)
        #expect(try await store.acquire(worker).isEmpty, "the window has ended, though nobody has followed it")
        _ = try await store.sweep()
        #expect(try await store.acquire(worker).isEmpty)
        let running = [first, second].map { AttemptProgress(attempt: $0.attempt, permille: 9) }
        #expect(try await store.renew(worker, running).lost.isEmpty, "what runs is finished")
        for grant in [first, second] { #expect(try await store.complete(grant, by: worker) == .accepted) }
        #expect(try await store.acquire(worker).isEmpty)
        #expect(try await store.job(job)?.state == .rendering)
        // The second 02:30, and 22:00 of the next day: 26 hours after 21:00.
        try await pass(store, to: 390)
        #expect(try await store.acquire(worker).isEmpty)
        #expect(try await windowOpens(store, job) == evening.adding(milliseconds: 26 * 60 * Self.minute))

        try await pass(store, to: 26 * 60)
        let third = try #require(try await store.acquire(worker).first)
        try await pass(store, to: 31 * 60)
        #expect(try await windowOpens(store, job) != nil)
        #expect(try await store.complete(third, by: worker) == .accepted)
        #expect(try await store.job(job)?.state == .stitching)
        let joining = try await store.acquire(worker, kinds: [.stitch])
        let stitch = try #require(joining.first, "joining waits for no window")
        #expect(try await store.complete(stitch, by: worker) == .accepted)
        #expect(try await store.job(job)?.state == .completed)
        #expect(try await windowOpens(store, job) == nil)
    }

    @Test func theModelKeepsWindows() async throws {
        try await checkNight(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKeepsWindows() async throws { try await checkNight(StoreDatabase.store()) }

    private func checkPause(_ store: some ClockedFarmStore) async throws {
        try await pass(store, to: 0)
        let job = try await store.insertJob(try job("paused")).job.id
        let worker = try await store.register("worker")
        #expect(try await store.control(job, .pause) == .done)
        try await pass(store, to: 60)
        #expect(try await store.acquire(worker).isEmpty, "the window is open, and somebody paused it")
        #expect(try await store.control(job, .resume) == .done)
        let first = try #require(try await store.acquire(worker).first)
        #expect(try await store.control(job, .pause) == .done)
        try await pass(store, to: 330)
        #expect(try await store.control(job, .resume) == .done)
        #expect(try await store.acquire(worker).isEmpty, "it is resumed outside of its window")
        #expect(try await store.complete(first, by: worker) == .accepted)
        // A worker died of it, it failed, and somebody retried it: the window holds all the same.
        try await pass(store, to: 26 * 60)
        let second = try #require(try await store.acquire(worker).first)
        let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
        _ = try await store.fail(second.attempt, TaskFailure(worker: worker, failure: failure))
        #expect(try await store.job(job)?.state == .failed)
        try await pass(store, to: 31 * 60)
        #expect(try await store.control(job, .retry) == .done)
        #expect(try await store.acquire(worker).isEmpty, "its window closed while it had failed")
        try await pass(store, to: 31 * 60)
        #expect(try await store.acquire(worker).isEmpty)
        try await pass(store, to: 50 * 60)
        #expect(try await store.acquire(worker).count == 1)
    }

    @Test func theModelKeepsPausesBesideWindows() async throws {
        try await checkPause(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKeepsPausesBesideWindows() async throws { try await checkPause(StoreDatabase.store()) }

    /// Two coordinators that slept over several changes: the job is as the wall says, and one event tells of it.
    @Test func twoCoordinatorsFollowAWindowOnce() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        for store in stores { try await pass(store, to: 0) }
        let jobs = try await (0..<4).asyncMap { try await stores[0].insertJob(try job("\($0)")).job.id }
        let before = try await stores[0].lastEvent()
        // Over two openings, into the third night.
        for store in stores { store.setClock(evening.adding(milliseconds: 51 * 60 * Self.minute)) }
        async let first = stores[0].sweep()
        async let second = stores[1].sweep()
        _ = try await (first, second)
        let events = try await stores[0].events(after: before, job: nil, limit: 100)
        #expect(events.map(\.job) == jobs.sorted() && events.allSatisfy { $0.state == "queued" })
        let worker = try await stores[1].register("worker")
        #expect(try await stores[1].acquire(worker).count == 1)
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
