package import CompositionModel
import WireProtocol

/// The decision what follows a failed attempt: the task is queued again after a delay, or given up.
package struct RetryPolicy: Sendable, Hashable {
    /// The number of different workers whose render child a task may stop before it is quarantined.
    package var quarantineAfterWorkers = 3
    /// The number of times that a task may stop a render child of any worker before it is quarantined.
    package var quarantineAfterDeaths = 5
    /// The number of failures reported by workers after which a task is given up, not counting workers of other
    /// versions.
    package var giveUpAfterLimits = 2
    /// The number of leases of a task that may run out, on ``quarantineAfterWorkers`` different workers or more and
    /// without getting further, before it is quarantined. It is more than for deaths: a child's death was seen by its
    /// worker, and has to do with the task; a worker that is not heard of may have been switched off, and one long task
    /// meets that often.
    package var quarantineAfterLosses = 10
    /// Failures that workers report after which a task is given up, not counting that a worker has other versions, nor
    /// that the coordinator's disk is full.
    package var giveUpAfter = 10
    /// The number of leases that may run out, of any worker and however far the work was, before a task is given up.
    package var giveUpAfterLosses = 30
    /// Whether a task is given up at its first full disk, the coordinator's or a worker's, because nobody would make room
    /// while it waits. Else a full disk of the coordinator does not count, and the task waits until there is room.
    package var givesUpOnFullDisks = false
    /// The delay after the first failure.
    package var firstDelayMilliseconds: Int64 = 500
    /// The longest delay after a failure.
    package var longestDelayMilliseconds: Int64 = 30_000

    /// Makes the policy with the numbers that every farm has.
    package init() {}

    /// The decision about a task whose attempt failed.
    package enum Verdict: Sendable, Hashable {
        /// The task is queued again, to be granted after this delay at the earliest.
        case retry(afterMilliseconds: Int64)
        /// The task, and with it the job, fails with this failure.
        case giveUp(Failure)
    }

    /// Decides about a task.
    /// - Parameter attempts: all attempts of `task` so far, in the order of their grants, the new failure included.
    package func verdict(on task: TaskRecord, attempts: [AttemptRecord]) -> Verdict {
        let failures = attempts.filter(task.counts).filter(\.hasFailed).inOrderOfEnd
        if let permanent = failures.lazy.compactMap(\.failure).first(where: \.isPermanent) { return .giveUp(permanent) }
        if givesUpOnFullDisks, let full = failures.lazy.compactMap(\.failure).last(where: FarmFailure.isFullDisk) {
            return .giveUp(FarmFailure.full(task, by: full))
        }
        let losses = failures.filter { $0.failure?.code == FarmFailure.leaseExpired }
        let reported = failures.filter { $0.failure?.code != FarmFailure.leaseExpired }
        let limits = reported.filter { $0.failure.map { FarmFailure.isLimit($0.code) } ?? false }
        if limits.count >= giveUpAfterLimits, let last = limits.last?.failure {
            return .giveUp(FarmFailure.limited(task, by: last, failures: limits))
        }
        let deaths = reported.filter { $0.failure.map { FarmFailure.isDeath($0.code) } ?? false }
        if isPoison(deaths) { return .giveUp(FarmFailure.quarantined(task, deaths: deaths)) }
        if isFatal(losses) { return .giveUp(FarmFailure.quarantined(task, deaths: losses)) }
        let counted = failures.filter(isCounted)
        if counted.count - losses.count >= giveUpAfter || losses.count >= giveUpAfterLosses {
            return .giveUp(FarmFailure.exhausted(task, failures: counted))
        }
        return .retry(afterMilliseconds: delay(afterFailures: reported.count))
    }

    private func isCounted(_ attempt: AttemptRecord) -> Bool {
        switch attempt.failure?.code {
        case FarmFailure.versionMismatch: false
        case FarmFailure.noSpace: false
        default: true
        }
    }

    /// The delay after a number of failures, in milliseconds: it doubles with each, up to the longest; 0 before the
    /// first.
    package func delay(afterFailures count: Int) -> Int64 {
        guard count > 0 else { return 0 }
        return min(longestDelayMilliseconds, firstDelayMilliseconds << Int64(min(count - 1, 20)))
    }

    private func isPoison(_ deaths: [AttemptRecord]) -> Bool {
        deaths.count >= quarantineAfterDeaths || Set(deaths.map(\.worker)).count >= quarantineAfterWorkers
    }

    /// An attempt that got further than all before it proves that the task can be worked at, and does not count.
    private func isFatal(_ losses: [AttemptRecord]) -> Bool {
        var furthest = 0
        var count = 0
        for loss in losses {
            if loss.permille > furthest { furthest = loss.permille } else { count += 1 }
        }
        return count >= quarantineAfterLosses && Set(losses.map(\.worker)).count >= quarantineAfterWorkers
    }
}

extension AttemptRecord {
    /// Whether the attempt ended with a failure of its own: reported, or superseded after its lease expired. Losing a
    /// race, being released and being cancelled are none.
    package var hasFailed: Bool { failure != nil && (state == .failed || state == .superseded) }
}

extension [AttemptRecord] {
    /// A hedge may end before the attempt that it was granted beside.
    fileprivate var inOrderOfEnd: [AttemptRecord] {
        let order = indices.sorted { left, right in
            let (first, second) = (self[left].ended, self[right].ended)
            guard let first, let second, first != second else { return left < right }
            return first < second
        }
        return order.map { self[$0] }
    }
}
