import Storage
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Whether a bucket can be used.
@Suite struct BucketWatchTests {
    /// One question without an answer may have been lost; two mean that the bucket is away, until one is answered.
    @Test func twoQuestionsThatFailHoldTheFarm() async throws {
        let isDown = Mutex(false)
        let clock = TestClock()
        let watch = BucketWatch(clock: clock, logger: quietStoreLogger) {
            if isDown.withLock({ $0 }) { throw StorageError.bucket("away") }
        }
        let hold = FarmHold(
            space: SpaceWatch(artifactRoot: "/", others: [], read: { _ in nil }),
            bucket: watch
        )
        let running = Task { try await watch.run() }
        // What a question found is noted before the pause that follows.
        try await clock.waitForSleep(of: BucketWatch.interval)
        #expect(hold.reason == nil)
        isDown.withLock { $0 = true }
        clock.advance(by: BucketWatch.interval)
        try await clock.waitForSleep(of: BucketWatch.retryInterval)
        #expect(hold.reason == nil, "one failure")
        clock.advance(by: BucketWatch.retryInterval)
        try await waitUntil { watch.isAway }
        #expect(hold.reason?.title == "The farm's bucket cannot be used")
        isDown.withLock { $0 = false }
        try await clock.waitForSleep(of: BucketWatch.retryInterval)
        clock.advance(by: BucketWatch.retryInterval)
        try await clock.waitForSleep(of: BucketWatch.interval)
        #expect(hold.reason == nil)
        running.cancel()
        try await running.value
    }
}
