import Client
import Farm

extension RetrySchedule {
    /// Questions to a coordinator that does not answer: a restart of it costs no attempt. The attempt's own deadline
    /// ends them, by cancelling the task.
    static let coordinator = RetrySchedule(firstPause: .milliseconds(250), longestPause: .seconds(4))

    /// Blocks of sources that arrive damaged, or that the coordinator cannot deliver now.
    static let block = RetrySchedule(firstPause: .milliseconds(400), longestPause: .seconds(4), attempts: 4)
}

/// Repeats a question while the coordinator does not answer.
/// - Throws: what `question` throws for good; `CancellationError`.
func patiently<Answer>(_ question: () async throws -> Answer) async throws -> Answer {
    try await RetrySchedule.coordinator.run(
        retrying: { ($0 as? ClientError)?.isTransient ?? false },
        question
    )
}
