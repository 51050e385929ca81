import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What many requests ask of the store at the same time.
@Suite struct GatheredCallsTests {
    /// A store that doubles numbers; a call waits while it is shut, and one with a negative number fails.
    private final class Doubling: Sendable {
        let isShut = Mutex(false)
        let isDown = Mutex(false)
        let calls = Mutex<[[Int]]>([])

        func call(_ asked: [Int]) async throws(FarmStoreError) -> [Int] {
            calls.withLock { $0.append(asked) }
            try? await waitUntil { !isShut.withLock(\.self) }
            if isDown.withLock(\.self) { throw .unavailable("down") }
            if asked.contains(where: { $0 < 0 }) { throw .invalid("negative") }
            return asked.map { 2 * $0 }
        }

        func gathered(most: Int = 100, mostWeight: Int = .max) -> GatheredCalls<Int, Int> {
            GatheredCalls(most: most, mostWeight: mostWeight, weight: abs) { (asked) async throws(FarmStoreError) in
                try await self.call(asked)
            }
        }
    }

    /// Begins a call that waits, asks for `numbers` meanwhile, and lets both go on.
    private func meanwhile(
        _ numbers: [Int],
        _ store: Doubling,
        _ gathered: GatheredCalls<Int, Int>
    ) async throws -> [Result<Int, FarmStoreError>] {
        store.isShut.withLock { $0 = true }
        let first = Task { try await gathered.ask(0) }
        try await waitUntil { store.calls.withLock { !$0.isEmpty } }
        var later: [Task<Result<Int, FarmStoreError>, Never>] = []
        for number in numbers {
            later.append(
                Task {
                    do throws(FarmStoreError) { return .success(try await gathered.ask(number)) } catch {
                        return .failure(error)
                    }
                }
            )
            try await waitUntil { await gathered.waitingCount == later.count }
        }
        store.isShut.withLock { $0 = false }
        _ = try await first.value
        var answers: [Result<Int, FarmStoreError>] = []
        for task in later { answers.append(await task.value) }
        return answers
    }

    @Test func whatComesMeanwhileIsOneCall() async throws {
        let store = Doubling()
        let answers = try await meanwhile([1, 2, 3], store, store.gathered())
        #expect(answers == [.success(2), .success(4), .success(6)])
        #expect(store.calls.withLock(\.self) == [[0], [1, 2, 3]])
    }

    @Test func aCallHasNoMoreThanIsAllowed() async throws {
        let store = Doubling()
        let answers = try await meanwhile([1, 2, 3, 4, 5], store, store.gathered(most: 2))
        #expect(answers == [2, 4, 6, 8, 10].map { .success($0) })
        #expect(store.calls.withLock(\.self) == [[0], [1, 2], [3, 4], [5]])
    }

    /// One that weighs too much comes alone, and is answered all the same.
    @Test func aCallWeighsNoMoreThanIsAllowed() async throws {
        let store = Doubling()
        let answers = try await meanwhile([3, 7, 20, 1, 9, 1], store, store.gathered(mostWeight: 10))
        #expect(answers == [6, 14, 40, 2, 18, 2].map { .success($0) })
        #expect(store.calls.withLock(\.self) == [[0], [3, 7], [20], [1, 9], [1]])
    }

    /// What is wrong with one of them is its own affair.
    @Test func oneThatIsRefusedStopsNoOther() async throws {
        let store = Doubling()
        let answers = try await meanwhile([1, -2, 3], store, store.gathered())
        #expect(answers == [.success(2), .failure(.invalid("negative")), .success(6)])
        #expect(store.calls.withLock(\.self) == [[0], [1, -2, 3], [1], [-2], [3]])
    }

    /// A database that is away is not asked for each of them.
    @Test func aStoreThatDoesNotAnswerFailsThemAll() async throws {
        let store = Doubling()
        let gathered = store.gathered()
        store.isDown.withLock { $0 = true }
        for _ in 0..<2 {
            await #expect(throws: FarmStoreError.unavailable("down")) { try await gathered.ask(1) }
        }
        store.isDown.withLock { $0 = false }
        #expect(try await gathered.ask(1) == 2)
        #expect(store.calls.withLock(\.self) == [[1], [1], [1]])
    }

    /// Each worker gets the answer to its own heartbeat, and each attempt that to its completion.
    @Test func workersGetTheirOwnAnswers() async throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        _ = try store.insertJob(SampleJob.job(key: "job", segments: 12, hasSound: false))
        let calls = WorkerCalls(store: store)
        var held: [(worker: WorkerID, grant: LeaseGrant)] = []
        for number in 0..<12 {
            let worker = try await store.register("w\(number)")
            held.append((worker, try #require(try await store.acquire(worker).first)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, one) in held.enumerated() {
                let foreign = held[(number + 1) % held.count].grant.attempt
                group.addTask {
                    let reply = try await calls.renew(
                        one.worker,
                        [one.grant.attempt, foreign].map { AttemptProgress(attempt: $0, permille: number) }
                    )
                    #expect(reply.renewed == [one.grant.attempt] && reply.lost == [foreign])
                    await #expect(throws: FarmStoreError.unknownWorker) {
                        try await calls.renew(WorkerID(uuid: UUID()), [])
                    }
                    let completion = TaskCompletion(
                        worker: one.worker,
                        artifact: ContentDigest(of: Data("\(number)".utf8)),
                        byteCount: 1,
                        unitCount: 1,
                        statistics: TaskStatistics()
                    )
                    #expect(try await calls.complete(one.grant.attempt, completion) == .accepted)
                    #expect(try await calls.complete(one.grant.attempt, completion) == .alreadyDone)
                    #expect(try await calls.complete(AttemptID(uuid: UUID()), completion) == .leaseLost)
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.jobs(JobFilter()).first?.state == .stitching)
    }
}
