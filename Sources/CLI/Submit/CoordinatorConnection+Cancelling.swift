import Client
import WireProtocol

extension CoordinatorConnection {
    /// Nobody waits for a job whose command was interrupted: it is cancelled.
    /// - Throws: what `body` does; `CancellationError` after an interruption.
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
