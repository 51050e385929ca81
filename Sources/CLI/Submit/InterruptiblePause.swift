import Synchronization

/// The pauses of a loop, one of which another task may end early.
final class InterruptiblePause: Sendable {
    private struct State {
        var isEnded = false
        var current: Task<Void, any Error>?
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(on clock: any Clock<Duration>) { self.clock = clock }

    /// Waits for `duration`, or until ``end()`` is called; not at all when it was called since the last pause.
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(for duration: Duration) async throws {
        let sleeping = Task { [clock] in try await clock.sleep(for: duration) }
        let isEnded = state.withLock { state in
            state.current = sleeping
            return state.isEnded
        }
        if isEnded { sleeping.cancel() }
        await withTaskCancellationHandler {
            _ = await sleeping.result
        } onCancel: {
            sleeping.cancel()
        }
        state.withLock { $0 = State() }
        try Task.checkCancellation()
    }

    /// Ends the pause that is under way, or else the next one.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.current?.cancel()
        }
    }
}
