import Client
import Farm

extension RetrySchedule {
    /// Requests to a coordinator that is away: again every half second.
    /// - Parameter limit: how long an unreachable coordinator is waited for.
    static func farm(for limit: Duration) -> RetrySchedule {
        RetrySchedule(firstPause: .milliseconds(500), limit: limit)
    }

    /// Sends a request again while the coordinator is away.
    /// - Parameter onRetry: told of each error that is followed by another attempt.
    /// - Throws: what `request` throws when the error is final; `CancellationError`.
    func run<Value>(
        onRetry: (ClientError) -> Void = { _ in },
        _ request: () async throws -> Value
    ) async throws -> Value {
        try await run(
            retrying: { ($0 as? ClientError)?.isTransient ?? false },
            onRetry: { if let error = $0 as? ClientError { onRetry(error) } },
            request
        )
    }
}
