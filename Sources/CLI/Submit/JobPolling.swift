import Client

/// Asks a coordinator about a job again and again, until the answer is final.
struct JobPolling: Sendable {
    /// How long an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// The time between an answer and the next question.
    private static let interval: Duration = .milliseconds(300)

    /// - Parameters:
    ///   - onUnreachable: told of each question that got no answer.
    ///   - ask: returns nil while the answer is not final.
    /// - Throws: `ClientError` when the coordinator refuses, or stays away longer than ``patience``;
    ///   `CancellationError`; what else `ask` throws.
    func run<Value>(
        onUnreachable: (ClientError) -> Void = { _ in },
        _ ask: () async throws -> Value?
    ) async throws -> Value {
        var lastAnswer = ContinuousClock.now
        while true {
            do {
                if let value = try await ask() { return value }
                lastAnswer = .now
            } catch let error as ClientError {
                try Task.checkCancellation()
                guard error.isTransient, lastAnswer.duration(to: .now) < patience else { throw error }
                onUnreachable(error)
            }
            try await Task.sleep(for: JobPolling.interval)
        }
    }
}
