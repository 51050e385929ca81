import Synchronization

/// A clock on which only pauses take time: a sleep ends at once, and the clock then shows its end.
///
/// Code that repeats a request after pauses, up to a limit, makes as many attempts on it however slow the machine is.
package final class PauseClock: Clock {
    /// A time since the clock was made.
    package typealias Instant = TestClock.Instant

    private let offset = Mutex(Duration.zero)

    package init() {}

    package var now: Instant { Instant(offset: offset.withLock(\.self)) }

    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Sets the clock to `deadline`, unless it is later already.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        offset.withLock { $0 = max($0, deadline.offset) }
        await Task.yield()
    }
}
