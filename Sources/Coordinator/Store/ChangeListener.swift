import Logging
import PostgreSQL
import Synchronization

/// Tells every subscriber that the tables changed, whichever coordinator changed them. It starts listening with the
/// first subscriber.
final class ChangeListener: Sendable {
    private struct State {
        var listeners: [AsyncStream<Void>.Continuation] = []
        var listening: Task<Void, Never>?
    }

    private let listener: NotificationListener
    private let state = Mutex(State())

    init(target: ConnectionTarget, clock: any Clock<Duration>, logger: Logger) {
        listener = NotificationListener(target: target, channels: [ChangeWriter.channel], clock: clock, logger: logger)
    }

    deinit { state.withLock { $0.listening?.cancel() } }

    /// Ends all streams and stops listening.
    func close() async {
        let (listeners, listening) = state.withLock { state in
            defer { state.listeners = [] }
            return (state.listeners, state.listening)
        }
        for listener in listeners { listener.finish() }
        listening?.cancel()
        await listening?.value
    }

    /// A stream that yields at once, then at every change.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        state.withLock { state in
            state.listeners.append(continuation)
            guard state.listening == nil else { return }
            state.listening = Task { [listener, weak self] in await listener.run { _ in self?.tell() } }
        }
        return stream
    }

    /// Wakes every listener, and forgets those that have ended.
    private func tell() {
        state.withLock { state in
            state.listeners.removeAll { if case .terminated = $0.yield() { true } else { false } }
        }
    }
}
