import CompositionModel
import FarmSimulation
import Foundation
import Testing
import WireProtocol

@testable import Farm

/// The queue of the store in memory, of which only the head is read for a grant.
@Suite struct InMemoryGrantTests {
    private let start = FarmTime(milliseconds: 1_700_000_000_000)

    /// More tasks than are read at first may not go to the worker that asks, because it failed them: it gets the first
    /// one behind them.
    @Test func aWorkerGetsWhatIsBehindAllThatItFailed() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .standing(at: start))
        _ = try store.insertJob(SampleJob.job(key: "k", segments: 60, hasSound: false))
        let (failing, other) = (try register(store), try register(store))
        var failed: [TaskID] = []
        for second in 1...50 {
            // What was failed is due again, and the other worker is there to try it.
            store.setClock(start.adding(milliseconds: Int64(second) * 1000))
            _ = try store.sweep()
            _ = try store.renew(other, [])
            let grant = try #require(try poll(store, failing).first, "nothing after \(failed.count) failures")
            #expect(!failed.contains(grant.task))
            failed.append(grant.task)
            let failure = Failure(code: "source_unreadable", message: "It failed.", isPermanent: false)
            #expect(try store.fail(grant.attempt, TaskFailure(worker: failing, failure: failure)) == .recorded)
        }
        store.setClock(start.adding(milliseconds: 60_000))
        _ = try store.sweep()
        #expect(try poll(store, other).map(\.task) == [failed[0]], "the head of the queue is the other worker's")
    }

    /// Tasks of one job go by stage, then the opening first, then the longest; a job of a higher priority goes before.
    @Test func theQueueIsInOrder() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .standing(at: start))
        let plain = try store.insertJob(SampleJob.job(key: "plain", segments: 12)).job.id
        let urgent = try store.insertJob(SampleJob.job(key: "urgent", segments: 2, priority: 1)).job.id
        let worker = try register(store)
        var positions: [JobID: [Int]] = [:]
        var jobs: [JobID] = []
        while let grant = try poll(store, worker).first {
            jobs.append(grant.job)
            let task = try #require(try store.task(of: grant.attempt))
            positions[grant.job, default: []].append(task.position)
        }
        #expect(jobs == [JobID](repeating: urgent, count: 3) + [JobID](repeating: plain, count: 13))
        #expect(positions[urgent] == [0, 2, 1])
        #expect(positions[plain] == [0, 12] + (1..<12).reversed())
    }

    private func register(_ store: InMemoryFarmStore) throws -> WorkerID {
        let kinds: [TaskKind] = [.picture, .sound]
        return try store.registerWorker(
            WorkerRegistration(name: "w", kinds: kinds, slots: 1, rendererVersion: 1, libraries: [:])
        ).worker
    }

    private func poll(_ store: InMemoryFarmStore, _ worker: WorkerID) throws -> [LeaseGrant] {
        let poll = LeasePoll(
            worker: worker,
            poll: PollID(uuid: .init()),
            kinds: [.picture, .sound],
            capacity: 1,
            waitMilliseconds: 0
        )
        guard case .granted(let grants) = try store.acquireLeases([poll])[0] else { return [] }
        return grants
    }
}
