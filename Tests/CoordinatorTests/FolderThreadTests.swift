import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Calls that may hang cost one thread, and nobody more time than they have.
@Suite struct FolderThreadTests {
    /// Counts the calls that were begun.
    private final class Counter: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock(\.self) }

        func add() { state.withLock { $0 += 1 } }
    }

    private let clock = TestClock()
    private let thread = FolderThread()
    private let begun = Counter()

    /// Makes a call that waits at most five seconds.
    private func run(_ work: @escaping @Sendable () -> Int) async throws -> Int {
        try await thread.run(within: .seconds(5), on: clock, work)
    }

    @Test func callsAreMadeOneAfterTheOther() async throws {
        let end = DispatchSemaphore(value: 0)
        let made = Mutex<[Int]>([])
        let first = thread.begin { end.wait() }
        let others = (1...3).map { number in thread.begin { made.withLock { $0.append(number) } } }
        #expect(made.withLock(\.self).isEmpty)
        end.signal()
        #expect(await first.value() != nil)
        for call in others { #expect(await call.value() != nil) }
        #expect(made.withLock(\.self) == [1, 2, 3])
        #expect(try await run { 7 } == 7, "a thread that ended is started again")
    }

    @Test func nobodyWaitsLongerThanTheyWant() async throws {
        let end = DispatchSemaphore(value: 0)
        let hanging = thread.begin { end.wait() }
        let waiting = (0..<3).map { _ in
            Task {
                try await run {
                    begun.add()
                    return 1
                }
            }
        }
        try await waitUntil { clock.sleeps == [.seconds(5), .seconds(5), .seconds(5)] }
        clock.advance(by: .seconds(5))
        for task in waiting { await #expect(throws: FolderThread.NoAnswer.self) { try await task.value } }
        // The clock stands: whoever comes now is told at once.
        await #expect(throws: FolderThread.NoAnswer.self) { try await run { 2 } }
        end.signal()
        #expect(await hanging.value() != nil)
        // The thread is free a moment after the call has ended.
        try await waitUntil { (try? await run { 3 }) == 3 }
        #expect(begun.count == 0, "what nobody waits for is not begun")
    }

    @Test func whoeverIsCancelledLeavesAndMakesNobodyBelieveThatItHangs() async throws {
        let end = DispatchSemaphore(value: 0)
        let slow = thread.begin { end.wait() }
        let task = Task {
            try await run {
                begun.add()
                return 1
            }
        }
        try await clock.waitForSleep(of: .seconds(5))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let other = Task { try await run { 2 } }
        try await clock.waitForSleep(of: .seconds(5))
        end.signal()
        #expect(try await other.value == 2)
        #expect(await slow.value() != nil && begun.count == 0)
    }

    @Test func whoeverIsCancelledWaitsForNoCall() async throws {
        let end = DispatchSemaphore(value: 0)
        let call = thread.begin { end.wait() }
        let waiting = Task { await call.value() == nil }
        waiting.cancel()
        #expect(await waiting.value)
        end.signal()
        #expect(await call.value() != nil)
    }
}
