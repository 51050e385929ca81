public import WireProtocol

/// A leased task with exactly one live attempt whose lease has not expired, as the store's query found it.
public struct HedgeCandidate: Sendable, Hashable {
    public var candidate: GrantCandidate
    /// When its live attempt was granted, and to whom.
    public var started: FarmTime
    public var worker: WorkerID
    /// Milliseconds from grant to acceptance of the completed attempts of the same job and kind, ascending.
    public var siblingMilliseconds: [Int64]

    public init(candidate: GrantCandidate, started: FarmTime, worker: WorkerID, siblingMilliseconds: [Int64]) {
        self.candidate = candidate
        self.started = started
        self.worker = worker
        self.siblingMilliseconds = siblingMilliseconds
    }
}

/// Whether a straggler gets a second attempt. Asked only for a poll that was granted nothing while no candidate of its
/// kinds and its worker's versions was grantable to anyone.
public struct HedgePolicy: Sendable, Hashable {
    /// Fewer completed siblings say nothing about what is usual.
    public var minimumSiblings = 3
    /// How many times the p95 of its siblings an attempt must last.
    public var factor: Int64 = 2
    /// Younger attempts are never hedged.
    public var minimumAgeMilliseconds: Int64 = 5000

    public init() {}

    /// - Parameters:
    ///   - candidates: in the order of the queue.
    ///   - worker: whose poll it is.
    /// - Returns: the first straggler that `worker` has neither in hand nor failed, and has the versions for.
    public func choose(
        _ candidates: [HedgeCandidate],
        for poll: LeasePoll,
        of worker: WorkerRecord,
        at now: FarmTime
    ) -> HedgeCandidate? {
        guard poll.capacity > 0 else { return nil }
        return candidates.first { straggler in
            poll.kinds.contains(straggler.candidate.kind) && straggler.worker != poll.worker
                && !straggler.candidate.failedWorkers.contains(poll.worker)
                && worker.has(straggler.candidate.versions) && isStraggler(straggler, at: now)
        }
    }

    func isStraggler(_ candidate: HedgeCandidate, at now: FarmTime) -> Bool {
        guard candidate.siblingMilliseconds.count >= minimumSiblings,
            let usual = HedgePolicy.p95(of: candidate.siblingMilliseconds)
        else { return false }
        return now.milliseconds(since: candidate.started) > max(minimumAgeMilliseconds, factor * usual)
    }

    /// The nearest-rank 95th percentile, as `percentile_disc(0.95)` gives; nil of nothing.
    /// - Parameter values: ascending.
    public static func p95(of values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values[(values.count * 95 + 99) / 100 - 1]
    }
}
