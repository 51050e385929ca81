import Dispatch
import Foundation

/// Runs a command's work so that SIGINT and SIGTERM cancel it instead of ending the process in the middle.
enum Interruptible {
    /// - Throws: `CancellationError` after a signal.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            return try await task.value
        } catch {
            if task.isCancelled { throw CancellationError() }
            throw error
        }
    }
}
