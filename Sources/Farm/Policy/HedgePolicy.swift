package import WireProtocol

/// The decision whether a straggler gets a second attempt. It is asked only for a poll that was granted nothing while
/// no candidate of its kinds and its worker's versions was grantable to anyone.
package struct HedgePolicy: Sendable, Hashable {
    /// The number of completed siblings that it takes to say what is usual.
    package var minimumSiblings = 3
    /// How many times the 95th percentile of its siblings an attempt must last.
    package var factor: Int64 = 2
    /// The age below which an attempt is never hedged.
    package var minimumAgeMilliseconds: Int64 = 5000

    /// Makes the policy with the numbers that every farm has.
    package init() {}

    /// Chooses a straggler for a poll.
    /// - Parameters:
    ///   - candidates: the stragglers in the order of the queue.
    ///   - worker: the worker of the poll.
    /// - Returns: the first straggler that `worker` has neither in hand nor failed, and has the versions for; nil when
    ///   there is none.
    package func choose(
        _ candidates: [HedgeCandidate],
        for poll: LeasePoll,
        of worker: WorkerRecord,
        at now: FarmTime
    ) -> HedgeCandidate? {
        guard poll.capacity > 0 else { return nil }
        return candidates.first { straggler in
            poll.kinds.contains(straggler.candidate.kind) && straggler.worker != poll.worker
                && !straggler.candidate.failedWorkers.contains(poll.worker)
                && straggler.candidate.suits(worker)
                && worker.has(straggler.candidate.versions) && isStraggler(straggler, at: now)
        }
    }

    /// Whether the attempt lasts much longer than is usual.
    func isStraggler(_ candidate: HedgeCandidate, at now: FarmTime) -> Bool {
        guard candidate.siblingMilliseconds.count >= minimumSiblings,
            let usual = HedgePolicy.p95(of: candidate.siblingMilliseconds)
        else { return false }
        return now.milliseconds(since: candidate.started) > max(minimumAgeMilliseconds, factor * usual)
    }

    /// The nearest-rank 95th percentile, as `percentile_disc(0.95)` gives it; nil for no values.
    /// - Parameter values: the values, ascending.
    package static func p95(of values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values[(values.count * 95 + 99) / 100 - 1]
    }
}
