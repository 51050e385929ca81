import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Prints how fast the store is, on a durable server unless CUTFARM_MEASURE is `volatile`; only when that is set.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["CUTFARM_MEASURE"] != nil))
struct StoreMeasurements {
    @Test(arguments: [1, 4, 8]) func takeAndComplete(workers: Int) async throws {
        try await withStore { store in
            for number in 0..<8 { _ = try await store.insertJob(SampleJob.job(key: "\(number)", segments: 100)) }
            let start = ContinuousClock.now
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<workers { group.addTask { try await drain(store, "worker \(number)") } }
                return try await group.reduce(0, +)
            }
            report("\(workers) workers, take one and complete", count, ContinuousClock.now - start)
        }
    }

    @Test func aJobOfTenThousandTasks() async throws {
        try await withStore { store in
            var start = ContinuousClock.now
            let job = try await store.insertJob(SampleJob.job(key: "large", segments: 10_000)).job.id
            report("insert 10,000 tasks", 1, ContinuousClock.now - start)
            let worker = try await store.register("worker")
            start = .now
            for _ in 0..<20 { #expect(try await store.acquire(worker, capacity: 50).count == 50) }
            report("grants of 50", 1000, ContinuousClock.now - start)
            start = .now
            for _ in 0..<20 { _ = try await store.job(job) }
            report("view of the job", 20, ContinuousClock.now - start)
            start = .now
            #expect(try await store.tasks(of: job).count == 10_002)
            report("view of its tasks", 1, ContinuousClock.now - start)
            start = .now
            for _ in 0..<20 { _ = try await store.acquire(worker, kinds: [.stitch]) }
            report("polls that find nothing", 20, ContinuousClock.now - start)
            start = .now
            _ = try await store.cancel(job)
            report("cancel it", 1, ContinuousClock.now - start)
        }
    }

    /// What a farm in one process does beside the rendering of a long edit.
    @Test func aJobOfTenThousandTasksInMemory() async throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        var start = ContinuousClock.now
        let job = try store.insertJob(SampleJob.job(key: "large", segments: 10_000)).job.id
        report("insert 10,000 tasks in memory", 1, ContinuousClock.now - start)
        let worker = try store.registerWorker(Self.registration([.picture, .sound])).worker
        let stitcher = try store.registerWorker(Self.registration([.stitch])).worker
        func poll(_ worker: WorkerID, _ kinds: [TaskKind]) throws -> [LeaseGrant] {
            let poll = LeasePoll(
                worker: worker,
                poll: PollID(uuid: UUID()),
                kinds: kinds,
                capacity: 1,
                waitMilliseconds: 0
            )
            guard case .granted(let grants) = try store.acquireLeases([poll])[0] else { return [] }
            return grants
        }
        start = .now
        var grants: [LeaseGrant] = []
        for _ in 0..<100 { grants += try poll(worker, [.picture, .sound]) }
        report("grants of one", grants.count, ContinuousClock.now - start)
        start = .now
        for grant in grants {
            _ = try await store.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 1)])
        }
        report("heartbeats", grants.count, ContinuousClock.now - start)
        start = .now
        for grant in grants.dropLast(2) {
            let artifact = SampleJob.artifact(job, position: 0)
            let completion = TaskCompletion(
                worker: worker,
                artifact: artifact,
                byteCount: 10,
                unitCount: 120,
                statistics: TaskStatistics()
            )
            #expect(try await store.complete(grant.attempt, completion) == .accepted)
        }
        report("completions", grants.count - 2, ContinuousClock.now - start)
        start = .now
        for _ in 0..<100 { _ = try poll(stitcher, [.stitch]) }
        report("polls that find nothing", 100, ContinuousClock.now - start)
        start = .now
        for _ in 0..<100 { _ = try store.job(job) }
        report("view of the job", 100, ContinuousClock.now - start)
        start = .now
        for _ in 0..<100 { _ = try store.sweep() }
        report("sweeps", 100, ContinuousClock.now - start)
        start = .now
        let last = try store.lastEvent()
        for _ in 0..<100 { _ = try store.events(after: last - 1, job: job, limit: 500) }
        report("events after the last but one", 100, ContinuousClock.now - start)
    }

    private static func registration(_ kinds: [TaskKind]) -> WorkerRegistration {
        WorkerRegistration(name: "worker", kinds: kinds, slots: 1, rendererVersion: 1, libraries: [:])
    }

    private func drain(_ store: PostgresFarmStore, _ name: String) async throws -> Int {
        let worker = try await store.register(name)
        var count = 0
        while let grant = try await store.acquire(worker).first {
            #expect(try await store.complete(grant, by: worker) == .accepted)
            count += 1
        }
        return count
    }

    private func withStore(_ body: (PostgresFarmStore) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        var configuration = EmbeddedPostgreSQL.Configuration(stateFolder: folder.path("state"))
        configuration.isDurable = ProcessInfo.processInfo.environment["CUTFARM_MEASURE"] != "volatile"
        let server = EmbeddedPostgreSQL(configuration, logger: quietStoreLogger)
        let store = try await StoreDatabase.open(server.start(), connections: 8)
        _ = try await store.sweep()
        try await body(store)
        await server.stop()
    }

    private func report(_ what: String, _ count: Int, _ duration: Duration) {
        let parts = duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        print("measured: \(what): \(count) in \(seconds) s, \(Double(count) / seconds) a second")
    }
}
