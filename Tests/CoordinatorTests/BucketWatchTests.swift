import Storage
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Whether a bucket is there.
@Suite struct BucketWatchTests {
    /// One question without an answer may have been lost; two mean that the bucket is away, until one is answered.
    @Test func twoQuestionsWithoutAnAnswerHoldTheFarm() async throws {
        let isAway = Mutex(false)
        let asked = Mutex(0)
        let clock = TestClock()
        let watch = BucketWatch(clock: clock, logger: quietStoreLogger) {
            asked.withLock { $0 += 1 }
            if isAway.withLock({ $0 }) { throw StorageError.bucket("away") }
        }
        let hold = FarmHold(
            space: SpaceWatch(artifactRoot: "/", others: [], read: { _ in nil }),
            bucket: watch
        )
        let running = Task { try await watch.run() }
        /// Waits for one question more, and until its answer was noted.
        func ask() async throws {
            let before = asked.withLock { $0 }
            try await waitUntil {
                clock.advance(by: .seconds(5))
                return asked.withLock { $0 } > before
            }
        }
        try await ask()
        #expect(hold.reason == nil)
        isAway.withLock { $0 = true }
        try await waitUntil {
            clock.advance(by: .seconds(1))
            return watch.isSilent
        }
        #expect(hold.reason?.title == "The farm's bucket does not answer")
        isAway.withLock { $0 = false }
        try await waitUntil {
            clock.advance(by: .seconds(1))
            return !watch.isSilent
        }
        #expect(hold.reason == nil)
        running.cancel()
        try await running.value
    }
}
