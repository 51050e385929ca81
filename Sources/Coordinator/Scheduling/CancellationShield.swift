import Synchronization

/// Runs `body` to its end although the caller may be cancelled, such as to hand a lease back at shutdown.
///
/// What `body` throws is dropped: leases expire by themselves.
/// - Parameters:
///   - limit: how long the caller waits; afterwards `body` goes on unwatched.
///   - clock: the clock of that time.
func shieldedFromCancellation(
    waitingAtMost limit: Duration = .seconds(1),
    on clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async throws -> Void
) async {
    await withCheckedContinuation { continuation in
        let waiting = SingleResumption(continuation)
        let timer = Task {
            try? await clock.sleep(for: limit)
            waiting.resume()
        }
        Task {
            try? await body()
            timer.cancel()
            waiting.resume()
        }
    }
}

/// Resumes its continuation once, whoever comes first.
private final class SingleResumption: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func resume() {
        let waiting = continuation.withLock { held in
            defer { held = nil }
            return held
        }
        waiting?.resume()
    }
}
