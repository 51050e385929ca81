import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Plans are computed in turns, and no longer than somebody waits for them.
@Suite struct PlanningPoolTests {
    /// A computation that ends when it is told to, or notices that it is to stop.
    private final class Work: Sendable {
        private let state = Mutex((started: 0, isReleased: false))
        var started: Int { state.withLock { $0.started } }

        func release() { state.withLock { $0.isReleased = true } }

        @Sendable func run() throws -> Int {
            state.withLock { $0.started += 1 }
            while !state.withLock(\.isReleased) { if Task.isCancelled { throw CancellationError() } }
            return started
        }
    }

    private func pool(_ clock: TestClock = TestClock()) -> PlanningPool {
        PlanningPool(threads: 2, limit: .seconds(60), clock: clock)
    }

    /// However much one asks, the other is served at once.
    @Test func oneOwnerNeverHasAllThreads() async throws {
        let (pool, endless) = (pool(), Work())
        let hostile = (0..<5).map { _ in Task { try await pool.run(for: "hostile", endless.run) } }
        try await waitUntil { endless.started == 1 }
        for _ in 0..<3 { #expect(try await pool.run(for: "other") { 7 } == 7) }
        #expect(endless.started == 1, "of five one is computed")
        endless.release()
        for task in hostile { _ = try await task.value }
        #expect(endless.started == 5)
    }

    @Test func whatNobodyWaitsForIsStopped() async throws {
        let (pool, endless) = (pool(), Work())
        let first = Task { try await pool.run(for: "a", endless.run) }
        try await waitUntil { endless.started == 1 }
        let second = Task { try await pool.run(for: "a", endless.run) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(endless.started == 1)
        #expect(try await pool.run(for: "a") { 7 } == 7, "the thread is free again")
    }

    @Test func whatTakesTooLongIsStopped() async throws {
        let clock = TestClock()
        let (pool, endless) = (pool(clock), Work())
        let task = Task { try await pool.run(for: "a", endless.run) }
        try await clock.waitForSleep(of: .seconds(60))
        clock.advance(by: .seconds(60))
        await #expect(throws: PlanningPool.TookTooLong.self) { try await task.value }
        #expect(try await pool.run(for: "a") { 7 } == 7)
    }

    @Test func anErrorIsPassedOn() async throws {
        struct Broken: Error {}
        let pool = pool()
        await #expect(throws: Broken.self) { try await pool.run(for: "a") { throw Broken() } }
        #expect(try await pool.run(for: "a") { 7 } == 7)
    }
}
