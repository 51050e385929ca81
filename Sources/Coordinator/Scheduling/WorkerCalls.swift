import Farm
import WireProtocol

/// The calls of the store that a farm of a thousand workers makes most often, each of them for many workers.
struct WorkerCalls: Sendable {
    /// The most heartbeats of one call.
    static let mostBeats = 128
    /// The most attempts of one call's heartbeats, unless one heartbeat alone has more: each is a row to lock.
    static let mostAttempts = 4096
    /// The most completions of one call.
    static let mostCompletions = 64

    private let beats: GatheredCalls<WorkerBeat, BeatOutcome>
    private let completions: GatheredCalls<AttemptCompletion, CompletionOutcome>

    init(store: any FarmStore) {
        beats = GatheredCalls(
            most: Self.mostBeats,
            mostWeight: Self.mostAttempts,
            weight: { $0.attempts.count },
            call: { (asked) async throws(FarmStoreError) in try await store.renew(asked) }
        )
        completions = GatheredCalls(
            most: Self.mostCompletions,
            call: { (asked) async throws(FarmStoreError) in try await store.complete(asked) }
        )
    }

    /// Renews the leases of a worker (``FarmStore/renew(_:)``).
    /// - Throws: ``FarmStoreError/unknownWorker``; another one when the store does not answer.
    func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) async throws(FarmStoreError) -> HeartbeatReply {
        guard case .renewed(let reply) = try await beats.ask(WorkerBeat(worker, attempts)) else { throw .unknownWorker }
        return reply
    }

    /// Completes the task of an attempt (``FarmStore/complete(_:)``).
    /// - Throws: ``FarmStoreError`` when the store does not answer.
    func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion
    ) async throws(FarmStoreError) -> CompletionOutcome {
        try await completions.ask(AttemptCompletion(attempt, completion))
    }
}
