import Synchronization
import TestSupport
import Testing

@testable import Farm

/// When a request that failed is sent again, as a table of cases.
@Suite struct RetryScheduleTests {
    private struct Passing: Error {}
    private struct Final: Error {}

    private final class Counter: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }
        func count() { number.add(1, ordering: .relaxed) }
    }

    @Test func pausesDoubleUpToTheLongest() {
        let schedule = RetrySchedule(firstPause: .milliseconds(250), longestPause: .seconds(4))
        let pauses = (1...8).map { schedule.pause(after: $0, elapsed: .seconds(1_000_000)) }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000].map { .milliseconds($0) })
        #expect(schedule.pause(after: .max, elapsed: .zero) == .seconds(4))
    }

    @Test func withoutALongestPauseAllAreAlike() {
        let schedule = RetrySchedule(firstPause: .milliseconds(500))
        #expect((1...5).allSatisfy { schedule.pause(after: $0, elapsed: .zero) == .milliseconds(500) })
    }

    @Test func attemptsAreCounted() {
        let schedule = RetrySchedule(firstPause: .seconds(1), attempts: 4)
        #expect((1...5).map { schedule.pause(after: $0, elapsed: .zero) != nil } == [true, true, true, false, false])
    }

    @Test func theLimitEndsAttempts() {
        let schedule = RetrySchedule(firstPause: .milliseconds(500), limit: .seconds(60))
        #expect(schedule.pause(after: 1, elapsed: .seconds(60) - .nanoseconds(1)) == .milliseconds(500))
        #expect(schedule.pause(after: 1, elapsed: .seconds(60)) == nil)
    }

    @Test func aRequestIsSentUntilItSucceeds() async throws {
        var (sent, told) = (0, 0)
        let answer = try await RetrySchedule(firstPause: .zero, attempts: 3).run(
            on: TestClock(),
            retrying: { (_: Passing) in true },
            onRetry: { _ in told += 1 },
            { () throws(Passing) in
                sent += 1
                if sent < 3 { throw Passing() }
                return "done"
            }
        )
        #expect(answer == "done" && sent == 3 && told == 2)
    }

    /// The first attempt is at once, the next ones after 500 ms each; at 60 s the error is final.
    @Test func pausesAndTheLimitAreOfTheClock() async throws {
        let clock = TestClock()
        let sent = Counter()
        let schedule = RetrySchedule(firstPause: .milliseconds(500), limit: .seconds(60))
        let outcome = Task {
            try await schedule.run(
                on: clock,
                retrying: { (_: Passing) in true },
                { () throws(Passing) in
                    sent.count()
                    throw Passing()
                }
            )
        }
        for attempt in 1...120 {
            try await clock.waitForSleep(of: .milliseconds(500))
            #expect(sent.value == attempt)
            clock.advance(by: .milliseconds(500))
        }
        await #expect(throws: Passing.self) { try await outcome.value }
        #expect(sent.value == 121)
    }

    @Test func theLastErrorIsThrown() async {
        var sent = 0
        await #expect(throws: Passing.self) {
            let schedule = RetrySchedule(firstPause: .zero, attempts: 3)
            try await schedule.run(
                on: TestClock(),
                retrying: { (_: any Error) in true },
                {
                    sent += 1
                    throw Passing()
                }
            )
        }
        #expect(sent == 3)
    }

    @Test func anErrorThatStaysIsFinalAtOnce() async {
        var sent = 0
        await #expect(throws: Final.self) {
            let schedule = RetrySchedule(firstPause: .zero)
            try await schedule.run(
                on: TestClock(),
                retrying: { (error: any Error) in error is Passing },
                {
                    sent += 1
                    throw Final()
                }
            )
        }
        #expect(sent == 1)
    }
}
