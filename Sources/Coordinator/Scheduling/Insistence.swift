import Synchronization

/// Runs `body` to its end although the caller may be cancelled, such as to hand a lease back at shutdown; waits for it
/// for `limit` at the most, after which it goes on unwatched. What it throws is dropped: leases expire by themselves.
func insist(within limit: Duration = .seconds(1), _ body: @escaping @Sendable () async throws -> Void) async {
    await withCheckedContinuation { continuation in
        let waiting = Waiting(continuation)
        let timer = Task {
            try? await Task.sleep(for: limit)
            waiting.end()
        }
        Task {
            try? await body()
            timer.cancel()
            waiting.end()
        }
    }
}

/// Resumes its continuation once, whoever comes first.
private final class Waiting: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func end() {
        let waiting = continuation.withLock { held in
            defer { held = nil }
            return held
        }
        waiting?.resume()
    }
}
