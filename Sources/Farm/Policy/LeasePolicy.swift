package import WireProtocol

/// How long leases last, in milliseconds of the database's clock.
package struct LeasePolicy: Sendable, Hashable {
    /// The length of a lease: short, so that a killed worker's segment runs again within 10 s.
    package var leaseMilliseconds: Int64 = 6000
    /// The time between heartbeats: a quarter of the lease, so that three may be lost.
    package var heartbeatMilliseconds: Int64 = 1500
    /// The time since the last sweep after which the farm counts as having slept, and forgives.
    package var stallMilliseconds: Int64 = 3000
    /// The least time from the grant of an attempt to its deadline.
    package var minimumDeadlineMilliseconds: Int64 = 600_000
    /// How many times its estimated cost an attempt may take.
    package var deadlineFactor: Int64 = 50

    /// Makes the policy with the numbers that every farm has.
    package init() {}

    /// The absolute end of an attempt that is granted at `now`.
    package func deadline(costMilliseconds: Int64, at now: FarmTime) -> FarmTime {
        let (product, overflow) = costMilliseconds.multipliedReportingOverflow(by: deadlineFactor)
        let length = overflow || product > 7 * 86_400_000 ? 7 * 86_400_000 : product
        return now.adding(milliseconds: max(minimumDeadlineMilliseconds, length))
    }

    /// An attempt after a heartbeat of its worker. It is what a store's batched UPDATE must compute.
    /// - Parameter permille: the progress that the worker reports; it is kept within 0 … 1000.
    /// - Returns: nil when the lease is lost: the attempt is not `worker`'s, not live, or past its deadline. Else the
    ///   attempt with its lease extended, which never becomes shorter.
    package func renewed(
        _ attempt: AttemptRecord,
        by worker: WorkerID,
        permille: Int,
        at now: FarmTime
    ) -> AttemptRecord? {
        guard attempt.worker == worker, attempt.state == .live, now < attempt.deadline else { return nil }
        var renewed = attempt
        renewed.until = extended(attempt, at: now)
        renewed.permille = min(1000, max(0, permille))
        return renewed
    }

    /// `greatest(until, least(now + lease, deadline))`: a lease never becomes shorter, nor passes its deadline.
    package func extended(_ attempt: AttemptRecord, at now: FarmTime) -> FarmTime {
        max(attempt.until, min(now.adding(milliseconds: leaseMilliseconds), attempt.deadline))
    }

    /// The lease of a live attempt after a sweep at `now` found that the farm slept since the one at `last`: the time in
    /// which nobody could renew it does not count, so that a worker that went away long ago gains nothing. Never more
    /// than a full lease from now, which it is when `last` is nil or the database's clock was set back.
    package func forgiven(_ attempt: AttemptRecord, since last: FarmTime?, at now: FarmTime) -> FarmTime {
        let full = min(now.adding(milliseconds: leaseMilliseconds), attempt.deadline)
        guard let gap = timeAsleep(since: last, at: now) else { return full }
        return min(attempt.until.adding(milliseconds: gap), full)
    }

    /// The time that the farm slept, in milliseconds; nil when nobody knows it.
    package func timeAsleep(since last: FarmTime?, at now: FarmTime) -> Int64? {
        last.map { now.milliseconds(since: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Whether a sweep at `now` after one at `last` (nil: the first ever) finds that the farm slept, or that the
    /// database's clock was set back.
    package func slept(since last: FarmTime?, at now: FarmTime) -> Bool {
        guard let last else { return true }
        return abs(now.milliseconds(since: last)) > stallMilliseconds
    }
}
