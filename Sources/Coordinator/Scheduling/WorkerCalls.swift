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

    private let store: any FarmStore
    private let beats: GatheredCalls<Bool, WorkerBeat, BeatOutcome>
    /// A lane for each job. One call holds one job's row, so that no two wait for each other in a ring, and a job that is
    /// being cancelled keeps nobody else's completions waiting.
    private let completions: GatheredCalls<JobID?, AttemptCompletion, CompletionOutcome>

    init(store: any FarmStore) {
        self.store = store
        beats = GatheredCalls(
            most: Self.mostBeats,
            mostWeight: Self.mostAttempts,
            weight: { $0.attempts.count },
            call: { (asked) async throws(FarmStoreError) in
                guard asked.count == 1 else { return try await store.renew(asked) }
                // A beat that is asked alone waits for its rows, and here others would wait behind it. Said twice it does not.
                return Array(try await store.renew(asked + asked).prefix(1))
            }
        )
        completions = GatheredCalls(
            most: Self.mostCompletions,
            call: { (asked) async throws(FarmStoreError) in try await store.complete(asked) }
        )
    }

    /// Renews the leases of a worker (``FarmStore/renew(_:)``).
    /// - Throws: ``FarmStoreError/unknownWorker``; another one when the store does not answer.
    func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) async throws(FarmStoreError) -> HeartbeatReply {
        switch try await beats.ask(WorkerBeat(worker, attempts), in: true) {
        case .renewed(let reply): return reply
        case .unknownWorker: throw .unknownWorker
        // It waits for the row by itself, and nobody waits for it.
        case .undecided: return try await store.renew(worker, attempts)
        }
    }

    /// Completes the task of an attempt (``FarmStore/complete(_:)``).
    /// - Parameter job: the job of the attempt; nil for an attempt that is not known.
    /// - Throws: ``FarmStoreError`` when the store does not answer.
    func complete(
        _ attempt: AttemptID,
        of job: JobID?,
        _ completion: TaskCompletion
    ) async throws(FarmStoreError) -> CompletionOutcome {
        try await completions.ask(AttemptCompletion(attempt, completion), in: job)
    }
}
