import Farm
import Timing
import WireProtocol

/// The calls of the store that a farm of a thousand workers makes most often, each of them for many workers.
struct WorkerCalls: Sendable {
    /// The most heartbeats of one call.
    static let mostBeats = 128
    /// The most attempts of one call's heartbeats, unless one heartbeat alone has more: each is a row to lock.
    static let mostAttempts = 4096
    /// The most completions of one call.
    static let mostCompletions = 64
    /// The pauses before a heartbeat is said again while somebody else works at one of its leases: each is twice as long as the
    /// one before, from the first to the longest.
    static let pauses: ClosedRange<Duration> = .milliseconds(10) ... .milliseconds(250)
    /// How long a heartbeat is said again: a worker waits 5 s for its answer.
    static let patience: Duration = .seconds(4)

    private let clock: any Clock<Duration>
    /// All heartbeats, in one lane. They wait for no lease.
    private let beats: GatheredCalls<Bool, WorkerBeat, BeatOutcome>
    /// A lane for each job. One call holds one job's row, so that no two wait for each other in a ring, and a job that is
    /// being cancelled keeps nobody else's completions waiting.
    private let completions: GatheredCalls<JobID?, AttemptCompletion, CompletionOutcome>

    init(store: any FarmStore, clock: any Clock<Duration>) {
        self.clock = clock
        beats = GatheredCalls(
            most: Self.mostBeats,
            mostWeight: Self.mostAttempts,
            weight: { $0.attempts.count },
            call: { (asked) async throws(FarmStoreError) in try await store.renew(asked, waits: false) }
        )
        completions = GatheredCalls(
            most: Self.mostCompletions,
            call: { (asked) async throws(FarmStoreError) in try await store.complete(asked) }
        )
    }

    /// Renews the leases of a worker (``FarmStore/renew(_:waits:)``). While somebody else works at one of them it is asked
    /// again, and holds no connection meanwhile: a job of very many tasks that is being cancelled holds the leases of its
    /// workers for seconds.
    /// - Returns: nil when one of the leases was still worked at after ``patience``.
    /// - Throws: ``FarmStoreError/unknownWorker``; ``FarmStoreError/unavailable(_:)`` when the store does not answer, and when
    ///   the task is cancelled while it waits.
    func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) async throws(FarmStoreError) -> HeartbeatReply? {
        let beat = WorkerBeat(worker, attempts)
        let stopwatch = Stopwatch(on: clock)
        var pause = Self.pauses.lowerBound
        while true {
            switch try await beats.ask(beat, in: true) {
            case .renewed(let reply): return reply
            case .unknownWorker: throw .unknownWorker
            case .undecided: break
            }
            guard stopwatch.elapsed < Self.patience else { return nil }
            do { try await clock.sleep(for: pause) } catch { throw .cancelledWait }
            pause = min(pause * 2, Self.pauses.upperBound)
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
