import Farm

/// Passes what comes from many requests on to the store together: while the store is being asked, what comes waits for the
/// next call. What comes alone waits for nothing.
///
/// A heartbeat is a transaction of its own without this, and so is a completion; those of one job would wait for its row
/// one after the other, with all connections.
actor GatheredCalls<Asked: Sendable, Answer: Sendable> {
    private typealias Outcome = Result<Answer, FarmStoreError>
    private typealias Waiting = (asked: Asked, continuation: CheckedContinuation<Outcome, Never>)

    private let most: Int
    private let mostWeight: Int
    private let weight: @Sendable (Asked) -> Int
    private let call: @Sendable ([Asked]) async throws(FarmStoreError) -> [Answer]
    private var waiting: [Waiting] = []
    private var isAsking = false

    /// - Parameters:
    ///   - most: the most elements of one call.
    ///   - mostWeight: the most that they weigh together, unless one alone weighs more.
    ///   - weight: the weight of an element, such as the rows that it locks.
    ///   - call: asks the store. The answers are in the order of what is asked.
    init(
        most: Int,
        mostWeight: Int = .max,
        weight: @escaping @Sendable (Asked) -> Int = { _ in 1 },
        call: @escaping @Sendable ([Asked]) async throws(FarmStoreError) -> [Answer]
    ) {
        (self.most, self.mostWeight, self.weight, self.call) = (most, mostWeight, weight, call)
    }

    /// The number of elements that wait for the next call.
    var waitingCount: Int { waiting.count }

    /// Asks the store, with what others ask at the same time.
    /// - Throws: ``FarmStoreError``. One that is for a single element of the call comes to that alone.
    func ask(_ asked: Asked) async throws(FarmStoreError) -> Answer {
        let outcome = await withCheckedContinuation { continuation in
            waiting.append((asked, continuation))
            guard !isAsking else { return }
            isAsking = true
            // A call is for many, and goes on when one of them is cancelled.
            Task { await self.callUntilNobodyWaits() }
        }
        return try outcome.get()
    }

    private func callUntilNobodyWaits() async {
        while !waiting.isEmpty { await answer(nextRound()) }
        isAsking = false
    }

    private func nextRound() -> [Waiting] {
        var (count, sum) = (0, 0)
        for one in waiting.prefix(most) {
            sum += weight(one.asked)
            guard count == 0 || sum <= mostWeight else { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private func answer(_ round: [Waiting]) async {
        do throws(FarmStoreError) {
            let answers = try await call(round.map(\.asked))
            for (one, answer) in zip(round, answers) { one.continuation.resume(returning: .success(answer)) }
        } catch {
            guard round.count > 1, !error.isUnavailable else {
                for one in round { one.continuation.resume(returning: .failure(error)) }
                return
            }
            // Something is wrong with one of them.
            for one in round { await answer([one]) }
        }
    }
}
