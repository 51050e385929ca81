import Client
import Timing

/// Asks a coordinator about a job repeatedly until the answer is final.
struct JobPolling: Sendable {
    /// The time for which a coordinator that is away, or cannot answer now, is waited for.
    var patience: Duration = .seconds(60)
    /// The clock of ``patience`` and of the pauses.
    let clock: any Clock<Duration>
    /// Waits until the answer is final; then the next question is asked at once. If it throws, only the pauses count.
    let end: @Sendable () async throws -> Void

    /// The time between an answer and the next question.
    private static let interval: Duration = .milliseconds(300)

    /// Asks until the answer is final.
    /// - Parameters:
    ///   - onUnreachable: Called for each question without an answer.
    ///   - ask: Asks once; returns nil while the answer is not final.
    /// - Throws: `ClientError` when the coordinator refuses, or stays away longer than ``patience``;
    ///   `CancellationError`; any other error that `ask` throws.
    func run<Value>(
        onUnreachable: (ClientError) -> Void = { _ in },
        _ ask: () async throws -> Value?
    ) async throws -> Value {
        var silence = Stopwatch(on: clock)
        let pause = InterruptiblePause(on: clock)
        // It is no child of this task: nobody waits for it once the answer is known.
        let waiting = Task { [end] in
            try await end()
            pause.end()
        }
        defer { waiting.cancel() }
        while true {
            do {
                if let value = try await ask() { return value }
                silence.restart()
            } catch let error as ClientError {
                try Task.checkCancellation()
                guard error.isTransient else { throw error }
                guard silence.elapsed < patience else { throw error.givingUp(after: silence.elapsed) }
                onUnreachable(error)
            }
            try await pause.wait(for: JobPolling.interval)
        }
    }
}
