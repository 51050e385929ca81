import Foundation
import Synchronization

/// One thread for calls on a folder whose file system may hang, as that of a network does while its server is away. A
/// call that hangs cannot be ended: those who wait for it leave, and it keeps the thread. However many ask, a folder
/// that hangs costs one thread.
final class FolderThread: Sendable {
    private struct State {
        var lastTicket = 0
        /// The calls that have not begun, in their order.
        var waiting: [(ticket: Int, work: @Sendable () -> Void)] = []
        var isRunning = false
        /// Whether the call under way took longer than somebody wanted to wait.
        var isHanging = false
    }

    private let state = Mutex(State())

    /// The folder did not answer in time.
    struct NoAnswer: Error {}

    /// Begins a call, behind those that were begun before.
    func begin<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> PendingCall<Value> { enter(work).call }

    /// Makes a call and waits for it. While another one hangs, nothing is begun.
    /// - Parameters:
    ///   - limit: the longest time to wait, also for calls that were begun before.
    ///   - clock: the clock of that time.
    /// - Throws: ``NoAnswer``; `CancellationError` when the task is cancelled.
    func run<Value: Sendable>(
        within limit: Duration,
        on clock: any Clock<Duration>,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard !state.withLock({ $0.isHanging }) else { throw NoAnswer() }
        let (ticket, call) = enter(work)
        let value = await withTaskGroup(of: Value?.self) { group in
            group.addTask { await call.value() }
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let value { return value }
        leave(ticket, isLate: !Task.isCancelled)
        try Task.checkCancellation()
        throw NoAnswer()
    }

    private func enter<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) -> (ticket: Int, call: PendingCall<Value>) {
        let call = PendingCall<Value>()
        let (ticket, isFirst) = state.withLock { state in
            state.lastTicket += 1
            state.waiting.append((state.lastTicket, { call.end(work()) }))
            defer { state.isRunning = true }
            return (state.lastTicket, !state.isRunning)
        }
        if isFirst { Thread.detachNewThread { [self] in runAll() } }
        return (ticket, call)
    }

    /// Nobody waits for a call any more: it is not begun, unless it is under way.
    private func leave(_ ticket: Int, isLate: Bool) {
        state.withLock { state in
            state.waiting.removeAll { $0.ticket == ticket }
            if isLate, state.isRunning { state.isHanging = true }
        }
    }

    /// Runs on the thread, which ends with the last call.
    private func runAll() { while let work = next() { work() } }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isHanging = false
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst().work
        }
    }
}
