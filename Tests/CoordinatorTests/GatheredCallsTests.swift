import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
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

        /// How many answers a call gives at most.
        let most = Mutex(Int.max)

        func call(_ asked: [Int]) async throws(FarmStoreError) -> [Int] {
            calls.withLock { $0.append(asked) }
            try? await waitUntil { !isShut.withLock(\.self) }
            if isDown.withLock(\.self) { throw .unavailable("down") }
            if asked.contains(where: { $0 < 0 }) { throw .invalid("negative") }
            return asked.prefix(most.withLock(\.self)).map { 2 * $0 }
        }

        func gathered(most: Int = 100, mostWeight: Int = .max) -> GatheredCalls<String, Int, Int> {
            GatheredCalls(most: most, mostWeight: mostWeight, weight: abs) { (asked) async throws(FarmStoreError) in
                try await self.call(asked)
            }
        }
    }

    /// Begins a call that waits, asks for `numbers` meanwhile, and lets both go on.
    private func meanwhile(
        _ numbers: [Int],
        _ store: Doubling,
        _ gathered: GatheredCalls<String, Int, Int>
    ) async throws -> [Result<Int, FarmStoreError>] {
        store.isShut.withLock { $0 = true }
        let first = Task { try await gathered.ask(0, in: "a") }
        try await waitUntil { store.calls.withLock { !$0.isEmpty } }
        var later: [Task<Result<Int, FarmStoreError>, Never>] = []
        for number in numbers {
            later.append(
                Task {
                    do throws(FarmStoreError) { return .success(try await gathered.ask(number, in: "a")) } catch {
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
        #expect(store.calls.withLock(\.self) == [[0], [1, -2, 3], [1], [-2, 3], [-2], [3]])
    }

    /// A database that is away is not asked for each of them, nor for those that wait behind them.
    @Test func aStoreThatDoesNotAnswerFailsThemAll() async throws {
        let store = Doubling()
        let gathered = store.gathered(most: 2)
        store.isShut.withLock { $0 = true }
        var asking = [Task { try await gathered.ask(0, in: "a") }]
        try await waitUntil { store.calls.withLock(\.count) == 1 }
        for number in 1..<5 { asking.append(Task { try await gathered.ask(number, in: "a") }) }
        try await waitUntil { await gathered.waitingCount == 4 }
        store.isDown.withLock { $0 = true }
        store.isShut.withLock { $0 = false }
        for task in asking { await #expect(throws: FarmStoreError.unavailable("down")) { try await task.value } }
        #expect(store.calls.withLock(\.count) == 1)
        store.isDown.withLock { $0 = false }
        #expect(try await gathered.ask(1, in: "a") == 2)
    }

    /// What the store has not answered is asked again, before what came after it.
    @Test func whatIsNotAnsweredIsAskedAgain() async throws {
        let store = Doubling()
        store.most.withLock { $0 = 1 }
        let answers = try await meanwhile([1, 2, 3], store, store.gathered(most: 2))
        #expect(answers == [.success(2), .success(4), .success(6)])
        #expect(store.calls.withLock(\.self) == [[0], [1, 2], [2, 3], [3]])
    }

    @Test func aLaneThatStallsStopsNoOther() async throws {
        let store = Doubling()
        let gathered = store.gathered()
        store.isShut.withLock { $0 = true }
        let first = Task { try await gathered.ask(1, in: "a") }
        try await waitUntil { store.calls.withLock(\.count) == 1 }
        let other = Task { try await gathered.ask(2, in: "b") }
        try await waitUntil { store.calls.withLock(\.count) == 2 }
        store.isShut.withLock { $0 = false }
        #expect(try await first.value == 2)
        #expect(try await other.value == 4)
    }

    /// Whoever is cancelled while it waits leaves at once. What is asked for is answered: its caller holds what it is about.
    @Test func whoIsCancelledLeavesUnlessItIsAskedFor() async throws {
        let store = Doubling()
        let gathered = store.gathered()
        store.isShut.withLock { $0 = true }
        let first = Task { try await gathered.ask(1, in: "a") }
        try await waitUntil { store.calls.withLock(\.count) == 1 }
        let later = [2, 3].map { number in Task { try await gathered.ask(number, in: "a") } }
        try await waitUntil { await gathered.waitingCount == 2 }
        first.cancel()
        later[0].cancel()
        await #expect(throws: FarmStoreError.self) { try await later[0].value }
        store.isShut.withLock { $0 = false }
        #expect(try await first.value == 2)
        #expect(try await later[1].value == 6)
        #expect(store.calls.withLock(\.self) == [[1], [3]])
    }

    /// Each worker gets the answer to its own heartbeat, and each attempt that to its completion.
    @Test func workersGetTheirOwnAnswers() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 12, hasSound: false))
        let calls = WorkerCalls(store: store, clock: TestClock())
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
                    #expect(reply?.renewed == [one.grant.attempt] && reply?.lost == [foreign])
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
                    #expect(try await calls.complete(one.grant.attempt, of: one.grant.job, completion) == .accepted)
                    #expect(try await calls.complete(one.grant.attempt, of: one.grant.job, completion) == .alreadyDone)
                    #expect(try await calls.complete(AttemptID(uuid: UUID()), of: nil, completion) == .leaseLost)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.jobs(JobFilter()).first?.state == .stitching)
    }

    /// Leases that somebody else holds keep only their own workers' heartbeats waiting. They hold no connection, and are
    /// answered once the leases are free.
    @Test func aLeaseThatIsHeldStopsNoOthersHeartbeat() async throws {
        let store = try await StoreDatabase.store()
        let clock = TestClock()
        let calls = WorkerCalls(store: store, clock: clock)
        let beats = try await beats(8, of: store)
        let (held, free) = (beats.dropLast(), try #require(beats.last))
        let holder = try await Connection.open(store.pool.target, logger: quietStoreLogger)
        try await holder.execute(
            """
            SET idle_in_transaction_session_timeout = 0; BEGIN;
            SELECT FROM lease WHERE worker <> '\(free.worker.uuid)' FOR UPDATE;
            SELECT FROM worker WHERE id = '\(free.worker.uuid)' FOR UPDATE
            """
        )
        let expected: [BeatOutcome] = held.map { _ in .undecided } + [.renewed(.renewing(free))]
        #expect(try await store.renew(beats, waits: false) == expected)

        // More beats than the store has connections.
        let waiting = held.map { beat in Task { try await calls.renew(beat.worker, beat.attempts) } }
        try await waitUntil { clock.sleeps.count == waiting.count }
        #expect(try await calls.renew(free.worker, free.attempts) == .renewing(free))
        try await holder.execute("COMMIT")
        clock.advance(by: WorkerCalls.pauses.lowerBound)
        for (beat, task) in zip(held, waiting) { #expect(try await task.value == .renewing(beat)) }
    }

    /// A heartbeat is given up before its worker gives it up, and at once when its task is cancelled.
    @Test func aHeartbeatIsNotSaidForEver() async throws {
        let store = try await StoreDatabase.store()
        let clock = TestClock()
        let calls = WorkerCalls(store: store, clock: clock)
        let beats = try await beats(2, of: store)
        let holder = try await Connection.open(store.pool.target, logger: quietStoreLogger)
        try await holder.execute("SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT FROM lease FOR UPDATE")
        let waiting = beats.map { beat in Task { try await calls.renew(beat.worker, beat.attempts) } }
        for pause in [10, 20, 40, 80, 160, 250, 250] {
            try await waitUntil { clock.sleeps == [.milliseconds(pause), .milliseconds(pause)] }
            clock.advance(by: .milliseconds(pause))
        }
        try await waitUntil { clock.sleeps.count == 2 }
        waiting[0].cancel()
        await #expect(throws: FarmStoreError.cancelledWait) { try await waiting[0].value }
        for _ in 0..<13 {
            try await clock.waitForSleep(of: .milliseconds(250))
            clock.advance(by: .milliseconds(250))
        }
        #expect(try await waiting[1].value == nil)
        #expect(clock.now.offset == .milliseconds(4060))
        try await holder.execute("COMMIT")
    }

    /// Heartbeats of so many workers, each with a lease of its own.
    private func beats(_ count: Int, of store: PostgresFarmStore) async throws -> [WorkerBeat] {
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: count, hasSound: false))
        var beats: [WorkerBeat] = []
        for number in 0..<count {
            let worker = try await store.register("w\(number)")
            let grant = try #require(try await store.acquire(worker).first)
            beats.append(WorkerBeat(worker, [AttemptProgress(attempt: grant.attempt, permille: 1)]))
        }
        return beats
    }
}

extension HeartbeatReply {
    /// The answer to a worker that holds all that it says.
    fileprivate static func renewing(_ beat: WorkerBeat) -> HeartbeatReply {
        HeartbeatReply(renewed: beat.attempts.map(\.attempt), lost: [], drain: false)
    }
}
