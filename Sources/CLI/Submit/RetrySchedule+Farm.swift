import Client
import Farm
import Timing

extension RetrySchedule {
    /// The schedule for requests to a coordinator that is away or cannot answer now: again every half second.
    /// - Parameter limit: The time after which the command gives up.
    static func farm(for limit: Duration) -> RetrySchedule {
        RetrySchedule(firstPause: .milliseconds(500), limit: limit)
    }

    /// Repeats a request while the coordinator is away or cannot answer now.
    /// - Parameters:
    ///   - clock: the clock of the pauses.
    ///   - onRetry: Called with each error that is followed by another attempt.
    /// - Throws: The error of `request` when it is final; `CancellationError`. An error that stayed until the limit says
    ///   how long that was.
    func run<Value>(
        on clock: any Clock<Duration>,
        onRetry: (ClientError) -> Void = { _ in },
        _ request: () async throws -> Value
    ) async throws -> Value {
        let stopwatch = Stopwatch(on: clock)
        do {
            return try await run(
                on: clock,
                retrying: { ($0 as? ClientError)?.isTransient ?? false },
                onRetry: { if let error = $0 as? ClientError { onRetry(error) } },
                request
            )
        } catch let error as ClientError {
            throw error.isTransient ? error.givingUp(after: stopwatch.elapsed) : error
        }
    }
}
