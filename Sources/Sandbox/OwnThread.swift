import Foundation

/// Runs what blocks on a thread of its own: the cooperative pool has one thread a core, and all tasks of a process
/// share them.
public enum OwnThread {
    /// Cancelling the task does not end `work`.
    public static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
