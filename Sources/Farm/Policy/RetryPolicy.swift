import WireProtocol
public import CompositionModel

/// What follows a failed attempt (FARM.md, "Retry policy is a pure function").
public struct RetryPolicy: Sendable, Hashable {
    /// Different workers whose render child a task may stop before it is quarantined.
    public var quarantineAfterWorkers = 3
    /// Times that a task may stop a render child, whosever, before it is quarantined.
    public var quarantineAfterDeaths = 5
    /// Times that a task may be stopped for a limit that follows from the task alone: once more than can be chance.
    public var giveUpAfterLimits = 2
    /// Leases of a task that may run out, on ``quarantineAfterWorkers`` different workers or more and without getting
    /// further, before it is quarantined. More than of deaths: a child's death was seen by its worker, and has to do
    /// with the task; a worker that is not heard of may have been switched off, and one long task meets that often.
    public var quarantineAfterLosses = 10
    /// Failures that workers report after which a task is given up, not counting that a worker has other versions.
    public var giveUpAfter = 10
    /// Leases that may run out, whosever and however far, before a task is given up.
    public var giveUpAfterLosses = 30
    public var firstDelayMilliseconds: Int64 = 500
    public var longestDelayMilliseconds: Int64 = 30_000

    public init() {}

    public enum Verdict: Sendable, Hashable {
        /// Queue again, to be granted so much later at the earliest.
        case retry(afterMilliseconds: Int64)
        /// The task, and with it the job, fails with this.
        case giveUp(Failure)
    }

    /// - Parameter attempts: all attempts of `task` so far, in the order of their grants, the new failure included.
    public func verdict(on task: TaskRecord, attempts: [AttemptRecord]) -> Verdict {
        let failures = attempts.filter(\.hasFailed).inOrderOfEnd
        if let permanent = failures.lazy.compactMap(\.failure).first(where: \.isPermanent) { return .giveUp(permanent) }
        let losses = failures.filter { $0.failure?.code == FarmFailure.leaseExpired }
        let reported = failures.filter { $0.failure?.code != FarmFailure.leaseExpired }
        let limits = reported.filter { $0.failure.map { FarmFailure.isLimit($0.code) } ?? false }
        if limits.count >= giveUpAfterLimits, let last = limits.last?.failure {
            return .giveUp(FarmFailure.limited(task, by: last, failures: limits))
        }
        let deaths = reported.filter { $0.failure.map { FarmFailure.isDeath($0.code) } ?? false }
        if isPoison(deaths) { return .giveUp(FarmFailure.quarantined(task, deaths: deaths)) }
        if isFatal(losses) { return .giveUp(FarmFailure.quarantined(task, deaths: losses)) }
        let counted = failures.filter { $0.failure?.code != FarmFailure.versionMismatch }
        if counted.count - losses.count >= giveUpAfter || losses.count >= giveUpAfterLosses {
            return .giveUp(FarmFailure.exhausted(task, failures: counted))
        }
        return .retry(afterMilliseconds: delay(afterFailures: reported.count))
    }

    /// Doubles with each failure, up to the longest; nothing before the first.
    public func delay(afterFailures count: Int) -> Int64 {
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
    /// It ended with a failure of its own: reported, or superseded after its lease expired. Losing a race, being
    /// released and being cancelled are none.
    public var hasFailed: Bool { failure != nil && (state == .failed || state == .superseded) }
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
