/// Computes plans on a few threads, in fair turns by owner. One owner never has all threads: however much somebody asks
/// to be planned, another's edit is planned at once.
actor PlanningPool {
    private let clock: any Clock<Duration>
    /// The time after which a computation is stopped.
    private let limit: Duration
    private let threadsPerOwner: Int
    private var free: [ComputingThread]
    /// The number of threads that each owner has, of those who have any.
    private var held: [String: Int] = [:]
    private var waiting = FairTurns<CheckedContinuation<ComputingThread, any Error>>()

    /// Starts the threads.
    /// - Parameters:
    ///   - threads: the number of threads, at least 1.
    ///   - limit: the time that one computation may take.
    ///   - clock: the clock of that time.
    init(threads: Int = 2, limit: Duration, clock: any Clock<Duration>) {
        self.clock = clock
        self.limit = limit
        threadsPerOwner = max(1, threads - 1)
        free = (0..<max(1, threads)).map { _ in ComputingThread() }
    }

    /// Waits for the owner's turn and computes on a thread of its own. `work` notices by `Task.isCancelled` that it is to
    /// stop: because the caller is cancelled, or after the time limit.
    /// - Throws: the error of `work`; `CancellationError` when the task is cancelled; ``TookTooLong``.
    func run<Value: Sendable>(for owner: String, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(for: owner, work) { $0 }
    }

    /// The same, and uses what was computed while the turn lasts: an owner's next computation begins when that is out of
    /// memory.
    /// - Throws: also the error of `use`, which has no time limit here.
    func run<Value: Sendable, Result: Sendable>(
        for owner: String,
        _ work: @escaping @Sendable () throws -> Value,
        use: @Sendable (consuming Value) async throws -> Result
    ) async throws -> Result {
        let thread = try await enter(owner)
        defer { leave(thread, owner) }
        return try await use(try await compute(work, on: thread))
    }

    private func compute<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        on thread: ComputingThread
    ) async throws -> Value {
        try Task.checkCancellation()
        let value = try await withThrowingTaskGroup(of: Value?.self) { [clock, limit] group in
            group.addTask { try await thread.run(work) }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let value else { throw TookTooLong(limit: limit) }
        return value
    }

    /// A computation was stopped for the time it took.
    struct TookTooLong: Error {
        let limit: Duration
    }

    private func enter(_ owner: String) async throws -> ComputingThread {
        if let thread = free.last, mayEnter(owner) {
            free.removeLast()
            held[owner, default: 0] += 1
            return thread
        }
        let ticket = waiting.nextTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting.add(continuation, of: owner, ticket: ticket)
            }
        } onCancel: {
            Task { await self.giveUp(ticket) }
        }
    }

    private func giveUp(_ ticket: Int) { waiting.remove(ticket)?.resume(throwing: CancellationError()) }

    private func leave(_ thread: ComputingThread, _ owner: String) {
        let rest = held[owner, default: 1] - 1
        held[owner] = rest > 0 ? rest : nil
        free.append(thread)
        while !free.isEmpty, let next = waiting.next(where: { mayEnter($0) }) {
            held[next.owner, default: 0] += 1
            next.element.resume(returning: free.removeLast())
        }
    }

    private func mayEnter(_ owner: String) -> Bool { held[owner, default: 0] < threadsPerOwner }
}
