import Foundation

/// Runs blocking work on a thread of its own: the cooperative pool has one thread per core, which all tasks of a
/// process share.
package enum DedicatedThread {
    /// Runs `work` on a new thread. Cancelling the task does not end `work`.
    /// - Throws: what `work` throws.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
