import Dispatch
import Foundation
import Synchronization
import WireProtocol

/// Runs a command's work so that SIGINT, SIGTERM, SIGHUP (a terminal that is closed) and SIGQUIT (Control-\) cancel it
/// instead of ending the process in the middle.
enum Interruptible {
    /// Runs `work` in a task of its own, which a signal cancels.
    /// - Parameter onSignal: Called for each signal, after the cancellation.
    /// - Throws: The error that `work` throws; after a signal `CancellationError`, or the error with which `work`
    ///   answers its cancellation.
    static func run<Value: Sendable>(
        onSignal: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let cancellation = EarlyCancellation()
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            let earlier = signal(number, SIG_IGN)
            // Whoever started the command with nohup(1) wants it to go on.
            if number == SIGHUP, unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                continue
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                cancellation.cancel()
                onSignal()
            }
            // Work that began before would be ended in the middle by the default action.
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        let task = Task { try await work() }
        cancellation.begin { task.cancel() }
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

/// Cancels a task, also when that is asked before the task is there.
private final class EarlyCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }

    /// Names what cancels the task, which is called at once if it was asked for before.
    func begin(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }
}
