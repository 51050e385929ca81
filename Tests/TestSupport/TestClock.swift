import Synchronization

/// A clock that stands still until a test turns it.
///
/// A test that wants to see what happens after ten seconds gives this clock to the code, waits until somebody sleeps on
/// it, and calls ``advance(by:)``. Where the code sleeps again and again, ``turn(by:until:)`` goes on until something
/// was seen.
package final class TestClock: Clock {
    /// A time since the clock was made.
    package struct Instant: InstantProtocol {
        /// The time since the clock was made.
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        package func duration(to other: Instant) -> Duration { other.offset - offset }

        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var lastSleeper = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }

    package var minimumResolution: Duration { .nanoseconds(1) }

    /// The times that sleepers have left, the shortest first.
    package var sleeps: [Duration] {
        state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted() }
    }

    /// Sleeps until a test has turned the clock to `deadline`.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add(Sleeper(deadline: deadline, continuation: $0), id) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ sleeper: Sleeper, _ id: Int) {
        let answer: Result<Void, any Error>? = state.withLock { state in
            if Task.isCancelled { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers[id] = sleeper
            return nil
        }
        if let answer { sleeper.continuation.resume(with: answer) }
    }

    /// Turns the clock, and wakes those whose time has come, the earliest first.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Waits until somebody sleeps who has exactly `duration` left.
    /// - Throws: `CancellationError`.
    package func waitForSleep(of duration: Duration) async throws { try await waitUntil { sleeps.contains(duration) } }

    /// Turns the clock again and again until `condition` holds. Between two turns those that were woken have a moment
    /// of real time, so that a loop that sleeps is not passed over.
    /// - Parameter step: the time of one turn, below every limit that must not pass meanwhile.
    /// - Throws: The error that `condition` throws; `CancellationError`.
    package func turn(by step: Duration, until condition: () async throws -> Bool) async throws {
        while try await !condition() {
            advance(by: step)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Runs `body` while the clock is turned again and again.
    /// - Parameter step: the time of one turn, below every limit that must not pass meanwhile.
    /// - Throws: The error that `body` throws.
    package func turning<Value>(by step: Duration, while body: () async throws -> Value) async throws -> Value {
        let turning = Task {
            while !Task.isCancelled {
                advance(by: step)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { turning.cancel() }
        return try await body()
    }
}
