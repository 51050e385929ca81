/// Lets a few previews be made at a time, in fair turns by owner: however much somebody looks at, another's picture is
/// made next.
actor PreviewTurns {
    private var free: Int
    private var waiting = FairTurns<CheckedContinuation<Void, any Error>>()

    /// - Parameter places: the number at a time, at least 1.
    init(places: Int) { free = max(1, places) }

    /// Waits for the owner's turn and runs `body`.
    /// - Throws: the error of `body`; `CancellationError` when the task was cancelled while it waited.
    func run<Value: Sendable>(for owner: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        try await enter(owner)
        defer { leave() }
        try Task.checkCancellation()
        return try await body()
    }

    private func enter(_ owner: String) async throws {
        if free > 0 {
            free -= 1
            return
        }
        let ticket = waiting.nextTicket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting.add(continuation, of: owner, ticket: ticket)
            }
        } onCancel: {
            Task { await self.giveUp(ticket) }
        }
    }

    private func giveUp(_ ticket: Int) { waiting.remove(ticket)?.resume(throwing: CancellationError()) }

    /// Hands the place on, or frees it.
    private func leave() {
        if let next = waiting.next(where: { _ in true }) { next.element.resume() } else { free += 1 }
    }
}
