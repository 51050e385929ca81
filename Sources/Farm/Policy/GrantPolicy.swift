public import WireProtocol

/// A task that could be granted now, as the store's query found it: open (``TaskRecord/isOpen(in:)``), and either
/// queued and due, or leased with every live lease expired.
public struct GrantCandidate: Sendable, Hashable {
    public var task: TaskID
    public var job: JobID
    public var kind: TaskKind
    public var position: Int
    public var priority: Int
    public var stage: Int
    public var costMilliseconds: Int64
    /// Workers of attempts that failed (``AttemptRecord/hasFailed``) or are live and expired. Any order.
    public var failedWorkers: [WorkerID]
    /// What must render it; nil when that is not said.
    public var versions: RenderVersions?

    public init(
        task: TaskID,
        job: JobID,
        kind: TaskKind,
        position: Int,
        priority: Int,
        stage: Int = 0,
        costMilliseconds: Int64,
        failedWorkers: [WorkerID],
        versions: RenderVersions? = nil
    ) {
        self.task = task
        self.job = job
        self.kind = kind
        self.position = position
        self.priority = priority
        self.stage = stage
        self.costMilliseconds = costMilliseconds
        self.failedWorkers = failedWorkers
        self.versions = versions
    }

    /// The order of the queue: `ORDER BY priority DESC, job, stage, cost_milliseconds DESC, position`. Identifiers sort
    /// by time, so the older job goes first; within a job what later stages wait for, of that the longest task.
    public static func precedes(_ left: GrantCandidate, _ right: GrantCandidate) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.job != right.job { return left.job < right.job }
        if left.stage != right.stage { return left.stage < right.stage }
        if left.costMilliseconds != right.costMilliseconds { return left.costMilliseconds > right.costMilliseconds }
        return left.position < right.position
    }
}

/// Which of the candidates a poll gets.
public enum GrantPolicy {
    /// - Parameters:
    ///   - candidates: in the order of the queue (``GrantCandidate/precedes(_:_:)``), those that earlier polls of the
    ///     batch took left out.
    ///   - worker: whose poll it is.
    ///   - workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    /// - Returns: at most `poll.capacity` of them, in the order of the queue. A worker of other versions than a task is
    ///   for never gets it. A worker that failed a task gets it again only when every other that may have it failed it
    ///   too.
    public static func choose(
        _ candidates: [GrantCandidate],
        for poll: LeasePoll,
        of worker: WorkerRecord,
        workers: [WorkerRecord]
    ) -> [GrantCandidate] {
        let fitting = candidates.lazy.filter { candidate in
            poll.kinds.contains(candidate.kind) && worker.has(candidate.versions) && mayTry(candidate, worker, workers)
        }
        return Array(fitting.prefix(max(0, poll.capacity)))
    }

    private static func mayTry(
        _ candidate: GrantCandidate,
        _ worker: WorkerRecord,
        _ workers: [WorkerRecord]
    ) -> Bool {
        guard candidate.failedWorkers.contains(worker.id) else { return true }
        return workers.allSatisfy { other in
            candidate.failedWorkers.contains(other.id) || !other.kinds.contains(candidate.kind)
                || !other.has(candidate.versions)
        }
    }
}
