import Synchronization

/// The result of a call on another thread, which may never come.
final class PendingCall<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var lastTicket = 0
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter value: the result of a call that has ended; nil for one that has not.
    init(_ value: Value? = nil) { state = Mutex(State(value: value)) }

    /// Ends the call. The first result counts.
    func end(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Waits for the end of the call.
    /// - Returns: its result; nil when the task is cancelled before.
    func value() async -> Value? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.value == nil, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume(returning: state.withLock { $0.value }) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: nil)
        }
    }
}
