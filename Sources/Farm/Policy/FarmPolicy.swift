/// All numbers that the farm's decisions depend on. The same value must be given to every coordinator of a database.
public struct FarmPolicy: Sendable, Hashable {
    public var lease = LeasePolicy()
    public var retry = RetryPolicy()
    public var hedge = HedgePolicy()
    /// A worker that failed so many tasks that others then completed gets no more work.
    public var blocklistAfter = 3
    /// A worker silent for longer is not counted on when a task waits for another worker.
    public var workerAbsenceMilliseconds: Int64 = 12_000
    /// A worker silent for longer is no longer listed.
    public var workerRetentionMilliseconds: Int64 = 600_000

    public init() {}

    /// Whether `worker` gets no more work because of what it failed.
    public func isBlocklisted(_ worker: WorkerRecord) -> Bool { worker.provenFailures >= blocklistAfter }

    /// Whether `worker` may be granted anything.
    public func takesWork(_ worker: WorkerRecord) -> Bool {
        !worker.isDraining && !worker.hasLeft && !isBlocklisted(worker)
    }

    /// Whether a task may wait for `worker`: it takes work and was heard of lately.
    public func isEligible(_ worker: WorkerRecord, at now: FarmTime) -> Bool {
        takesWork(worker) && now.milliseconds(since: worker.lastSeen) <= workerAbsenceMilliseconds
    }
}
