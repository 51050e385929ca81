import Client
import WireProtocol

extension CoordinatorConnection {
    /// Runs `body`, and cancels the job when this command is interrupted, because nobody waits for it then.
    /// - Throws: The error that `body` throws; `CancellationError` after an interruption.
    func cancelling<Value>(_ job: JobID, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            guard Task.isCancelled else { throw error }
            _ = await Task { try? await self.cancel(job) }.value
            throw CancellationError()
        }
    }
}
