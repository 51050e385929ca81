import Client
import Farm

extension RetrySchedule {
    /// The schedule for requests to an unreachable coordinator: again every half second.
    /// - Parameter limit: The time for which an unreachable coordinator is waited for.
    static func farm(for limit: Duration) -> RetrySchedule {
        RetrySchedule(firstPause: .milliseconds(500), limit: limit)
    }

    /// Repeats a request while the coordinator is unreachable.
    /// - Parameters:
    ///   - clock: the clock of the pauses.
    ///   - onRetry: Called with each error that is followed by another attempt.
    /// - Throws: The error of `request` when it is final; `CancellationError`.
    func run<Value>(
        on clock: any Clock<Duration>,
        onRetry: (ClientError) -> Void = { _ in },
        _ request: () async throws -> Value
    ) async throws -> Value {
        try await run(
            on: clock,
            retrying: { ($0 as? ClientError)?.isTransient ?? false },
            onRetry: { if let error = $0 as? ClientError { onRetry(error) } },
            request
        )
    }
}
