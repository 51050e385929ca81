import Client
import Farm

extension RetrySchedule {
    /// The schedule for requests to a coordinator that does not answer, so that its restart costs no attempt. The
    /// attempt's own deadline ends them, by cancelling the task.
    static let coordinator = RetrySchedule(firstPause: .milliseconds(250), longestPause: .seconds(4))

    /// The schedule for blocks of sources that arrive damaged, or that the coordinator cannot deliver at present.
    static let block = RetrySchedule(firstPause: .milliseconds(400), longestPause: .seconds(4), attempts: 4)
}

/// Repeats a request while the coordinator does not answer.
/// - Parameter clock: the clock of the pauses.
/// - Throws: The error of `question` when it is final; `CancellationError`.
func patiently<Answer>(
    on clock: any Clock<Duration>,
    _ question: () async throws -> Answer
) async throws -> Answer {
    try await RetrySchedule.coordinator.run(
        on: clock,
        retrying: { ($0 as? ClientError)?.isTransient ?? false },
        question
    )
}
