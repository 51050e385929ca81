import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Heartbeats of many workers, passed on together.
@Suite struct HeartbeatDispatcherTests {
    private func grants(_ count: Int, _ store: StalledStore) async throws -> [(WorkerID, LeaseGrant)] {
        _ = try store.insertJob(SampleJob.job(key: "job", segments: count, hasSound: false))
        var held: [(WorkerID, LeaseGrant)] = []
        for number in 0..<count {
            let worker = try await store.register("w\(number)")
            held.append((worker, try #require(try await store.acquire(worker).first)))
        }
        return held
    }

    /// While the store is being asked for the first, the others come, and are one call. Each is answered for itself.
    @Test func thoseThatComeMeanwhileAreOneCall() async throws {
        let store = StalledStore()
        let held = try await grants(6, store)
        let stranger = WorkerID(uuid: UUID())
        let heartbeats = HeartbeatDispatcher(store: store)
        store.isShut = true
        let first = Task {
            try await heartbeats.renew(held[0].0, [AttemptProgress(attempt: held[0].1.attempt, permille: 1)])
        }
        try await waitUntil { store.renewed.withLock { !$0.isEmpty } }
        let others = held.dropFirst().map { worker, grant in
            Task { try await heartbeats.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 2)]) }
        }
        // One that holds nothing of what it names.
        let wrong = Task {
            try await heartbeats.renew(held[0].0, [AttemptProgress(attempt: held[1].1.attempt, permille: 3)])
        }
        let unknown = Task { try await heartbeats.renew(stranger, []) }
        try await waitUntil { await heartbeats.waitingCount == 7 }
        store.isShut = false
        #expect(try await first.value.renewed == [held[0].1.attempt])
        for (task, (_, grant)) in zip(others, held.dropFirst()) {
            let reply = try await task.value
            #expect(reply.renewed == [grant.attempt] && reply.lost.isEmpty)
        }
        #expect(try await wrong.value.lost == [held[1].1.attempt])
        await #expect(throws: FarmStoreError.unknownWorker) { try await unknown.value }
        #expect(store.renewed.withLock { $0.map(\.count) } == [1, 7])
    }

    @Test func aStoreThatDoesNotAnswerFailsThemAll() async throws {
        let store = StalledStore()
        let heartbeats = HeartbeatDispatcher(store: store)
        store.isDown = true
        for _ in 0..<2 {
            await #expect(throws: FarmStoreError.unavailable("down")) {
                try await heartbeats.renew(WorkerID(uuid: UUID()), [])
            }
        }
        store.isDown = false
        await #expect(throws: FarmStoreError.unknownWorker) {
            try await heartbeats.renew(WorkerID(uuid: UUID()), [])
        }
    }

    /// One with very many attempts does not come with others into one transaction, and is answered all the same.
    @Test func aCallIsNotTooLarge() async throws {
        let store = StalledStore()
        let worker = try await store.register("w")
        let many = (0..<HeartbeatDispatcher.attempts + 1).map { _ in
            AttemptProgress(attempt: AttemptID(uuid: UUID()), permille: 0)
        }
        let heartbeats = HeartbeatDispatcher(store: store)
        store.isShut = true
        let first = Task { try await heartbeats.renew(worker, []) }
        try await waitUntil { store.renewed.withLock { !$0.isEmpty } }
        var later: [Task<HeartbeatReply, any Error>] = []
        for beat in [[], many, many, []] {
            later.append(Task { try await heartbeats.renew(worker, beat) })
            try await waitUntil { await heartbeats.waitingCount == later.count }
        }
        store.isShut = false
        _ = try await first.value
        for (task, count) in zip(later, [0, many.count, many.count, 0]) {
            #expect(try await task.value.lost.count == count)
        }
        #expect(store.renewed.withLock { $0.map(\.count) } == [1, 1, 1, 1, 1])
    }
}
