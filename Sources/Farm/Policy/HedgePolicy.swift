package import WireProtocol

/// The decision whether a straggler gets a second attempt. It is asked only for a poll that was granted nothing while
/// no candidate of its kinds and its worker's versions was grantable to anyone: the worker would do nothing else.
///
///     slow worker   ────────[====== 20 % ·························]        what it would still take
///     this worker                        [=======]                         what it is expected to take, by what it did
///                                        now
package struct HedgePolicy: Sendable, Hashable {
    /// The number of completed siblings that it takes to say what is usual.
    package var minimumSiblings = 3
    /// How many times the 95th percentile of its siblings an attempt must last.
    package var factor: Int64 = 2
    /// How many times the time that the other worker is expected to take an attempt must still take, by the progress that it
    /// reports: less gains little, and costs as much again.
    package var gain = 2.0
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
                && worker.has(straggler.candidate.versions) && isStraggler(straggler, beside: poll.worker, at: now)
        }
    }

    /// Whether another worker would be done well before the attempt, by its progress; or the attempt lasts much longer than
    /// is usual, whatever it reports. Usual is what it takes most workers, and this one: of two slow workers none waits for
    /// the other, which would keep a fast one away.
    func isStraggler(_ straggler: HedgeCandidate, beside worker: WorkerID, at now: FarmTime) -> Bool {
        let siblings = straggler.siblings
        guard siblings.count >= minimumSiblings, let usual = siblings.p95Milliseconds else { return false }
        let age = now.milliseconds(since: straggler.started)
        guard age > minimumAgeMilliseconds else { return false }
        let expected = siblings.expectedMilliseconds(of: worker, forCost: straggler.candidate.costMilliseconds)
        if let left = straggler.millisecondsLeft(at: now), left > gain * expected { return true }
        return Double(age) > Double(factor) * max(Double(usual), expected)
    }

    /// The nearest-rank 95th percentile, as `percentile_disc(0.95)` gives it; nil for no values.
    /// - Parameter values: the values, ascending.
    package static func p95(of values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values[(values.count * 95 + 99) / 100 - 1]
    }
}
