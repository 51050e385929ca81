import Timing

/// The times at which a request that failed in passing is sent again: the first pause, then pauses twice as long each.
package struct RetrySchedule: Sendable, Hashable {
    /// The pause before the second attempt.
    package var firstPause: Duration
    /// The longest pause between two attempts.
    package var longestPause: Duration
    /// The time since the first attempt after which an error is final; nil when only cancelling ends the attempts.
    package var limit: Duration?
    /// The number of attempts after which an error is final; nil when any number may be made.
    package var attempts: Int?

    /// Makes a schedule.
    /// - Parameter longestPause: nil for pauses of one length.
    package init(firstPause: Duration, longestPause: Duration? = nil, limit: Duration? = nil, attempts: Int? = nil) {
        self.firstPause = firstPause
        self.longestPause = longestPause ?? firstPause
        self.limit = limit
        self.attempts = attempts
    }

    /// The pause after an attempt that failed in passing.
    /// - Parameters:
    ///   - attempt: the number of the attempt, counted from 1.
    ///   - elapsed: the time since the first attempt.
    /// - Returns: nil when the error is final.
    package func pause(after attempt: Int, elapsed: Duration) -> Duration? {
        if let limit, elapsed >= limit { return nil }
        if let attempts, attempt >= attempts { return nil }
        // The factor is at most 2^20, so that the shift does not overflow.
        return min(firstPause * (1 << min(attempt - 1, 20)), longestPause)
    }

    /// Sends a request until it succeeds or an error is final.
    /// - Parameters:
    ///   - clock: the clock of the pauses and of ``limit``.
    ///   - isTransient: whether another attempt may succeed after an error.
    ///   - onRetry: told of each error that is followed by another attempt, before the pause.
    ///   - request: one attempt.
    /// - Throws: the last error of `request`; `CancellationError` when the task is cancelled in a pause.
    package func run<Value, Failed: Error>(
        on clock: any Clock<Duration>,
        retrying isTransient: (Failed) -> Bool,
        onRetry: (Failed) -> Void = { _ in },
        _ request: () async throws(Failed) -> Value
    ) async throws -> Value {
        let stopwatch = Stopwatch(on: clock)
        var attempt = 1
        while true {
            do {
                return try await request()
            } catch {
                guard isTransient(error), let pause = pause(after: attempt, elapsed: stopwatch.elapsed) else {
                    throw error
                }
                onRetry(error)
                try await clock.sleep(for: pause)
                attempt += 1
            }
        }
    }
}
