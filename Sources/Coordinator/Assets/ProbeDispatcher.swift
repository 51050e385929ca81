import CompositionModel
import Farm
import Foundation
import Logging
import ServiceLifecycle
import WireProtocol

/// Holds the polls of workers that would probe what clients sent to the farm's bucket, and gives each what waits.
actor ProbeDispatcher: Service {
    /// What one worker is to probe.
    struct Claim: Sendable {
        let id: ProbeID
        let upload: BucketUpload
    }

    private struct Poll {
        let worker: String
        let byteLimit: Int64
        let continuation: CheckedContinuation<Claim?, Never>
    }

    /// What is known of one worker: the room that it had, and how long ago it was heard of.
    private struct Prober {
        var byteLimit: Int64
        var silence: Duration
    }

    /// The time for which a worker need not be heard of, in milliseconds.
    static let claimMilliseconds: Int64 = 60_000
    /// The time between two renewals, in milliseconds: three may be lost.
    static let renewalMilliseconds = 15_000
    /// The time after it was heard of for which a worker is expected to poll again.
    static let memory: Duration = .seconds(60)
    /// The time between two looks.
    private static let interval: Duration = .milliseconds(250)
    /// The time between two notes of what workers may take.
    private static let noting: Duration = .seconds(10)
    /// The polls for which one look finds nothing before it ends: those with less room than the first may find more.
    private static let mostMisses = 4

    private let ledger: any BucketUploadLedger
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// Names this process in the database.
    private let coordinator = UUID()
    private var polls: [Int: Poll] = [:]
    private var order: [Int] = []
    private var count = 0
    private var probers: [String: Prober] = [:]
    /// The workers of claims that were given.
    private var workers: [ProbeID: String] = [:]
    private var sinceNoted: Duration
    private var isClosed = false

    init(
        ledger: any BucketUploadLedger,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        (self.ledger, self.clock, self.now, self.logger) = (ledger, clock, now, logger)
        sinceNoted = Self.noting
    }

    /// Waits for something to probe.
    /// - Parameters:
    ///   - worker: the worker's name.
    ///   - byteLimit: the most bytes for which it has room.
    ///   - wait: the longest time.
    /// - Returns: a claim; nil when there was nothing, at shutdown, and when the task is cancelled: nothing stays claimed then.
    func poll(_ worker: String, byteLimit: Int64, for wait: Duration) async -> Claim? {
        guard !isClosed, !Task.isCancelled else { return nil }
        if probers[worker] == nil { sinceNoted = Self.noting }
        probers[worker] = Prober(byteLimit: byteLimit, silence: .zero)
        count += 1
        let number = count
        let timer = Task { [weak self, clock] in
            try? await clock.sleep(for: wait)
            await self?.answer(number, nil)
        }
        defer { timer.cancel() }
        let claim = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                polls[number] = Poll(worker: worker, byteLimit: byteLimit, continuation: continuation)
                order.append(number)
            }
        } onCancel: {
            Task { await self.answer(number, nil) }
        }
        guard let claim else { return nil }
        guard !Task.isCancelled else {
            await handBack(claim)
            return nil
        }
        workers[claim.id] = worker
        return claim
    }

    /// Notes that the worker of a claim is heard of, also one that another coordinator gave.
    func noteRenewal(of id: ProbeID) {
        if let worker = workers[id] { probers[worker]?.silence = .zero }
    }

    /// Notes that a claim has ended.
    func noteEnd(of id: ProbeID) { workers[id] = nil }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while (try? await clock.sleep(for: Self.interval)) != nil { await look() }
        }
        isClosed = true
        for number in order { answer(number, nil) }
    }

    /// Gives what waits to those who poll, in the order in which they came.
    private func look() async {
        sinceNoted += Self.interval
        for name in probers.keys { probers[name]?.silence += Self.interval }
        for poll in polls.values { probers[poll.worker]?.silence = .zero }
        probers = probers.filter { $0.value.silence < Self.memory }
        do {
            try await noteProbers()
            var misses = 0
            for number in order {
                guard misses < Self.mostMisses, let poll = polls[number] else { continue }
                if let claim = try await claim(upTo: poll.byteLimit) {
                    // The poll may have ended meanwhile.
                    if !answer(number, claim) { await handBack(claim) }
                } else {
                    misses += 1
                    order.removeAll { $0 == number }
                    order.append(number)
                }
            }
        } catch {
            logger.warnUnlessCancelled("uploads cannot be given to workers", error)
        }
    }

    private func noteProbers() async throws {
        guard sinceNoted >= Self.noting, let most = probers.values.map(\.byteLimit).max() else { return }
        let found = Probers(factsVersion: AssetFacts.currentVersion, byteLimit: most)
        try await ledger.noteProbers(of: coordinator, found)
        sinceNoted = .zero
    }

    private func claim(upTo byteCount: Int64) async throws -> Claim? {
        var generator = SystemRandomNumberGenerator()
        let id = ProbeID(milliseconds: UInt64(max(0, now().timeIntervalSince1970 * 1000)), using: &generator)
        return try await ledger.claimProbe(id, upTo: byteCount, for: Self.claimMilliseconds).map {
            Claim(id: id, upload: $0)
        }
    }

    private func handBack(_ claim: Claim) async {
        await shieldedFromCancellation(on: clock) { [ledger] in _ = try await ledger.endProbe(claim.id, .handedBack) }
    }

    /// - Returns: whether somebody waited for it.
    @discardableResult
    private func answer(_ number: Int, _ claim: Claim?) -> Bool {
        order.removeAll { $0 == number }
        guard let poll = polls.removeValue(forKey: number) else { return false }
        poll.continuation.resume(returning: claim)
        return true
    }
}
