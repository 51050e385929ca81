public import Shared

/// A task that could be granted now, as the store's query found it: of the open stage of a job that is not final, and
/// either queued and due, or leased with every live lease expired.
public struct GrantCandidate: Sendable, Hashable {
    public var task: TaskID
    public var job: JobID
    public var kind: TaskKind
    public var position: Int
    public var priority: Int
    public var costMilliseconds: Int64
    /// Workers of attempts that failed (``AttemptRecord/hasFailed``) or are live and expired. Any order.
    public var failedWorkers: [WorkerID]

    public init(
        task: TaskID,
        job: JobID,
        kind: TaskKind,
        position: Int,
        priority: Int,
        costMilliseconds: Int64,
        failedWorkers: [WorkerID]
    ) {
        self.task = task
        self.job = job
        self.kind = kind
        self.position = position
        self.priority = priority
        self.costMilliseconds = costMilliseconds
        self.failedWorkers = failedWorkers
    }

    /// The order of the queue: `ORDER BY priority DESC, job, cost_milliseconds DESC, position`. Identifiers sort by
    /// time, so the older job goes first; within a job the longest task.
    public static func precedes(_ left: GrantCandidate, _ right: GrantCandidate) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.job != right.job { return left.job < right.job }
        if left.costMilliseconds != right.costMilliseconds { return left.costMilliseconds > right.costMilliseconds }
        return left.position < right.position
    }
}

/// Which of the candidates a poll gets.
public enum GrantPolicy {
    /// - Parameters:
    ///   - candidates: in the order of the queue (``GrantCandidate/precedes(_:_:)``), those that earlier polls of the
    ///     batch took left out.
    ///   - workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    /// - Returns: at most `poll.capacity` of them, in the order of the queue. A worker that failed a task gets it again
    ///   only when every eligible worker of its kind failed it too.
    public static func choose(
        _ candidates: [GrantCandidate],
        for poll: LeasePoll,
        workers: [WorkerRecord]
    ) -> [GrantCandidate] {
        let fitting = candidates.lazy.filter { candidate in
            poll.kinds.contains(candidate.kind) && mayTry(candidate, poll.worker, workers)
        }
        return Array(fitting.prefix(max(0, poll.capacity)))
    }

    private static func mayTry(_ candidate: GrantCandidate, _ worker: WorkerID, _ workers: [WorkerRecord]) -> Bool {
        guard candidate.failedWorkers.contains(worker) else { return true }
        return workers.allSatisfy { other in
            !other.kinds.contains(candidate.kind) || candidate.failedWorkers.contains(other.id)
        }
    }
}
