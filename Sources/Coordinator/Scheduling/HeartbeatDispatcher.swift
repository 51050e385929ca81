import Farm
import WireProtocol

/// Passes the heartbeats of all workers on to the store, many at once: while the store is being asked, those that come
/// wait for the next call. One that comes alone waits for nothing.
actor HeartbeatDispatcher {
    /// The most heartbeats of one call.
    static let batch = 128
    /// The most attempts of one call, unless one heartbeat alone has more: each is a row to lock.
    static let attempts = 4096

    private typealias Answer = Result<HeartbeatReply, FarmStoreError>
    private typealias Waiting = (beat: WorkerBeat, continuation: CheckedContinuation<Answer, Never>)

    private let store: any FarmStore
    private var waiting: [Waiting] = []
    private var isAsking = false

    /// The number of heartbeats that wait for the next call.
    var waitingCount: Int { waiting.count }

    init(store: any FarmStore) { self.store = store }

    /// Renews the leases of a worker.
    /// - Throws: ``FarmStoreError``.
    func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) async throws(FarmStoreError) -> HeartbeatReply {
        let answer = await withCheckedContinuation { continuation in
            waiting.append((WorkerBeat(worker, attempts), continuation))
            guard !isAsking else { return }
            isAsking = true
            // A call is for many, and goes on when one of them is cancelled.
            Task { await self.ask() }
        }
        return try answer.get()
    }

    private func ask() async {
        while !waiting.isEmpty {
            let round = nextRound()
            do throws(FarmStoreError) {
                let outcomes = try await store.renew(round.map(\.beat))
                for (one, outcome) in zip(round, outcomes) { one.continuation.resume(returning: Self.answer(outcome)) }
            } catch {
                for one in round { one.continuation.resume(returning: .failure(error)) }
            }
        }
        isAsking = false
    }

    private func nextRound() -> [Waiting] {
        var (count, attempts) = (0, 0)
        for one in waiting.prefix(Self.batch) {
            attempts += one.beat.attempts.count
            guard count == 0 || attempts <= Self.attempts else { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private static func answer(_ outcome: BeatOutcome) -> Answer {
        switch outcome {
        case .renewed(let reply): .success(reply)
        case .unknownWorker: .failure(.unknownWorker)
        }
    }
}
