import Farm

/// Passes what comes from many requests on to the store together: while the store is being asked, what comes waits for the
/// next call. What comes alone waits for nothing.
///
/// Without this, heartbeats and completions are transactions of their own, and those of one job wait for its row one after
/// the other, with all connections of the pool.
actor GatheredCalls<Lane: Hashable & Sendable, Asked: Sendable, Answer: Sendable> {
    private typealias Outcome = Result<Answer, FarmStoreError>
    private typealias Waiting = (ticket: Int, asked: Asked)

    private let most: Int
    private let mostWeight: Int
    private let weight: @Sendable (Asked) -> Int
    private let call: @Sendable ([Asked]) async throws(FarmStoreError) -> [Answer]
    /// What waits for the next call, of each lane in which a call is under way.
    private var waiting: [Lane: [Waiting]] = [:]
    private var continuations: [Int: CheckedContinuation<Outcome, Never>] = [:]
    private var lastTicket = 0

    /// - Parameters:
    ///   - most: the most elements of one call.
    ///   - mostWeight: the most that they weigh together, unless one alone weighs more.
    ///   - weight: the weight of an element, such as the rows that it locks.
    ///   - call: asks the store. The answers are in the order of what is asked; where there are fewer, the last ones are
    ///     asked again.
    init(
        most: Int,
        mostWeight: Int = .max,
        weight: @escaping @Sendable (Asked) -> Int = { _ in 1 },
        call: @escaping @Sendable ([Asked]) async throws(FarmStoreError) -> [Answer]
    ) {
        (self.most, self.mostWeight, self.weight, self.call) = (most, mostWeight, weight, call)
    }

    /// The number of elements that wait for the next call.
    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Asks the store, together with what others ask in the same lane at the same time. Of each lane one call is under way.
    /// - Throws: ``FarmStoreError``. One that is for an element of the call comes to that alone. One that is for the whole
    ///   store comes to all that wait. ``FarmStoreError/unavailable(_:)`` also when the task is cancelled while the
    ///   element waits; one that is asked for already is answered, so that its caller holds what it is about until then.
    func ask(_ asked: Asked, in lane: Lane) async throws(FarmStoreError) -> Answer {
        lastTicket += 1
        let ticket = lastTicket
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelledWait)) }
                continuations[ticket] = continuation
                let isUnderWay = waiting[lane] != nil
                waiting[lane, default: []].append((ticket, asked))
                // A call is for many, and goes on when one of them is cancelled.
                if !isUnderWay { Task { await self.callUntilNobodyWaits(in: lane) } }
            }
        } onCancel: {
            Task { await self.giveUp(ticket, in: lane) }
        }
        return try outcome.get()
    }

    private func giveUp(_ ticket: Int, in lane: Lane) {
        guard let place = waiting[lane]?.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting[lane]?.remove(at: place)
        resume(ticket, .failure(.cancelledWait))
    }

    private func resume(_ ticket: Int, _ outcome: Outcome) {
        continuations.removeValue(forKey: ticket)?.resume(returning: outcome)
    }

    private func callUntilNobodyWaits(in lane: Lane) async {
        while let round = nextRound(of: lane) { await answer(round, in: lane) }
        waiting[lane] = nil
    }

    private func nextRound(of lane: Lane) -> [Waiting]? {
        guard let waits = waiting[lane], !waits.isEmpty else { return nil }
        var (count, sum) = (0, 0)
        for one in waits.prefix(most) {
            sum += weight(one.asked)
            guard count == 0 || sum <= mostWeight else { break }
            count += 1
        }
        waiting[lane] = Array(waits.dropFirst(count))
        return Array(waits.prefix(count))
    }

    private func answer(_ round: [Waiting], in lane: Lane) async {
        do throws(FarmStoreError) {
            let answers = try await call(round.map(\.asked))
            guard !answers.isEmpty else { throw .unavailable("The store gave no answer.") }
            for (one, answer) in zip(round, answers) { resume(one.ticket, .success(answer)) }
            waiting[lane]?.insert(contentsOf: round.dropFirst(answers.count), at: 0)
        } catch {
            switch error {
            case .unavailable, .full:
                // Whoever waits would be told the same, one call after the other.
                let all = round + (waiting[lane] ?? [])
                waiting[lane] = []
                for one in all { resume(one.ticket, .failure(error)) }
            default:
                guard round.count > 1 else { return resume(round[0].ticket, .failure(error)) }
                // Something is wrong with one of them.
                await answer(Array(round.prefix(round.count / 2)), in: lane)
                await answer(Array(round.dropFirst(round.count / 2)), in: lane)
            }
        }
    }
}

extension FarmStoreError {
    /// Nobody waits for the answer any more: the task that asked is cancelled.
    static let cancelledWait = FarmStoreError.unavailable("The request was given up.")
}
