/// All numbers that the farm's decisions depend on. Every coordinator of a database must be given the same value.
package struct FarmPolicy: Sendable, Hashable {
    /// How long leases last.
    package var lease = LeasePolicy()
    /// What follows a failed attempt.
    package var retry = RetryPolicy()
    /// When a straggler gets a second attempt.
    package var hedge = HedgePolicy()
    /// What one owner may have waiting.
    package var quota = OwnerQuota()
    /// What one owner's ended jobs may leave in the store.
    package var history = HistoryQuota()
    /// Whether accepted parts are kept for later tasks of the same key, which wait while one of them is made.
    package var keepsParts = true
    /// The number of tasks that a worker failed and others then completed after which it gets no more work.
    package var blocklistAfter = 3
    /// The silence after which a worker is not counted on when a task waits for another worker.
    package var workerAbsenceMilliseconds: Int64 = 12_000
    /// The silence after which a worker is no longer listed.
    package var workerRetentionMilliseconds: Int64 = 600_000

    /// The most jobs whose windows one sweep follows, and the most that await others: a sweep holds what grants wait for.
    package static let jobsPerSweep = 500

    /// Makes the policy of every farm; tests change numbers of it.
    package init() {}

    /// Whether `worker` gets no more work because of what it failed, or because its name is blocked.
    package func isBlocklisted(_ worker: WorkerRecord) -> Bool {
        worker.blocked != nil || worker.provenFailures >= blocklistAfter
    }

    /// The reason why `worker` is on the blocklist, as a sentence; nil when it is not.
    package func blocklistReason(_ worker: WorkerRecord) -> String? {
        if let reason = worker.blocked { return reason }
        guard worker.provenFailures >= blocklistAfter else { return nil }
        return "\(worker.provenFailures) tasks that it failed were then done by other workers."
    }

    /// Whether `worker` may be granted anything.
    package func takesWork(_ worker: WorkerRecord) -> Bool {
        !worker.isDraining && !worker.hasLeft && !isBlocklisted(worker)
    }

    /// Whether a task may wait for `worker`: it takes work and was heard of lately.
    package func isEligible(_ worker: WorkerRecord, at now: FarmTime) -> Bool {
        takesWork(worker) && now.milliseconds(since: worker.lastSeen) <= workerAbsenceMilliseconds
    }
}
