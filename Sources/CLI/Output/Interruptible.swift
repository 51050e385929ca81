import Dispatch
import Foundation
import WireProtocol

/// Runs a command's work so that SIGINT and SIGTERM cancel it instead of ending the process in the middle.
enum Interruptible {
    /// Runs `work` in a task of its own, which a signal cancels.
    /// - Parameter onSignal: Called for each signal, after the cancellation.
    /// - Throws: The error that `work` throws; after a signal `CancellationError`, or the error with which `work`
    ///   answers its cancellation.
    static func run<Value: Sendable>(
        onSignal: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                task.cancel()
                onSignal()
            }
            source.resume()
            return source
        }
        // The signals stay ignored: Dispatch's next source of the same one would not see it with the default action.
        defer { for source in sources { source.cancel() } }
        do {
            return try await task.value
        } catch {
            if task.isCancelled, (error as? CommandFailure)?.status != .interrupted { throw CancellationError() }
            throw error
        }
    }
}
