/// Limits the bytes that tasks hold in memory at a time. Those for which there is no room wait in fair turns by owner, and
/// one owner never has it all: however much somebody sends, another's bytes find room.
actor ByteBudget {
    /// The number of bytes up to which a task holds them without waiting and without being counted.
    static let smallByteCount = 64 << 10

    /// A task that waits, and the bytes that it will hold.
    private struct Waiter {
        let byteCount: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// There was no room for as long as a task may wait. A client whose connection is silent for much longer gets no answer
    /// at all.
    struct NoRoom: Error {
        let byteCount: Int
    }

    private var free: Int
    private let share: Int
    private let patience: Duration
    private let clock: any Clock<Duration>
    /// The bytes that each owner holds, of those who hold any.
    private var held: [String: Int] = [:]
    private var waiting = FairTurns<Waiter>()

    /// The number of tasks that wait for room.
    var waitingCount: Int { waiting.count }

    /// Makes a budget.
    /// - Parameters:
    ///   - total: the number of bytes that are held at a time.
    ///   - share: the number of them that one owner may hold, at least as many as one task does.
    ///   - patience: the time that a task waits for room.
    ///   - clock: the clock of that time.
    init(total: Int, share: Int, patience: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()) {
        free = total
        self.share = share
        self.patience = patience
        self.clock = clock
    }

    /// Waits until there is room for `byteCount` bytes and runs `body`, which holds them.
    /// - Parameter byteCount: at most the share of an owner.
    /// - Throws: the error of `body`; ``NoRoom``; `CancellationError` when the task is cancelled while it waits.
    nonisolated func holding<Value>(
        _ byteCount: Int,
        of owner: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard byteCount > Self.smallByteCount else { return try await body() }
        try await enter(owner, byteCount)
        do {
            let value = try await body()
            await leave(owner, byteCount)
            return value
        } catch {
            await leave(owner, byteCount)
            throw error
        }
    }

    private func enter(_ owner: String, _ byteCount: Int) async throws {
        let ticket = waiting.nextTicket()
        let timer = Task { [clock, patience] in
            try await clock.sleep(for: patience)
            self.end(ticket, NoRoom(byteCount: byteCount))
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting.add(Waiter(byteCount: byteCount, continuation: continuation), of: owner, ticket: ticket)
                admit()
            }
        } onCancel: {
            Task { await self.end(ticket, CancellationError()) }
        }
    }

    /// Ends the waiting of a task that waits no longer.
    private func end(_ ticket: Int, _ error: any Error) {
        waiting.remove(ticket)?.continuation.resume(throwing: error)
        admit()
    }

    private func leave(_ owner: String, _ byteCount: Int) {
        let rest = held[owner, default: byteCount] - byteCount
        held[owner] = rest > 0 ? rest : nil
        free += byteCount
        admit()
    }

    /// Lets in who may. The first who has not used up a share goes first: others do not take the room for which it
    /// waits.
    private func admit() {
        while let first = waiting.first(where: { held[$0, default: 0] + $1.byteCount <= share }),
            first.element.byteCount <= free, let next = waiting.next(where: { $0 == first.owner })
        {
            free -= next.element.byteCount
            held[next.owner, default: 0] += next.element.byteCount
            next.element.continuation.resume()
        }
    }
}
