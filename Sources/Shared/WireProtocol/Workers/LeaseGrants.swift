import CompositionModel
import Planning

/// The body of `POST /v1/leases:poll`. The answer is 200 with ``LeaseGrants``, which are empty after `waitMilliseconds`
/// without work.
package struct LeasePoll: Sendable, Hashable, Codable {
    /// The worker that asks.
    package var worker: WorkerID
    /// The poll's identifier; the same poll sent again gets the same grants.
    package var poll: PollID
    /// The kinds of tasks that the worker accepts.
    package var kinds: [TaskKind]
    /// The most leases wanted, at least 1.
    package var capacity: Int
    /// The longest wait for work, in milliseconds; 0 answers at once.
    package var waitMilliseconds: Int

    package init(worker: WorkerID, poll: PollID, kinds: [TaskKind], capacity: Int, waitMilliseconds: Int) {
        self.worker = worker
        self.poll = poll
        self.kinds = kinds
        self.capacity = capacity
        self.waitMilliseconds = waitMilliseconds
    }
}

/// The answer to a ``LeasePoll``.
package struct LeaseGrants: Sendable, Hashable, Codable {
    /// The granted leases, at most the poll's capacity; empty without work.
    package var grants: [LeaseGrant]

    package init(grants: [LeaseGrant]) { self.grants = grants }
}

/// One lease of one task.
package struct LeaseGrant: Sendable, Hashable, Codable {
    /// The new attempt, named in everything that the worker reports about the task.
    package var attempt: AttemptID
    /// The task to do.
    package var task: TaskID
    /// The job of the task.
    package var job: JobID
    /// The work to do.
    package var payload: TaskPayload
    /// The milliseconds until the lease ends unless it is renewed; 0 when it has ended.
    package var leaseMilliseconds: Int
    /// The milliseconds until the absolute deadline, which no renewal extends; 0 when it has passed.
    package var deadlineMilliseconds: Int
    /// The job's trace, with the attempt's span; nil for a job without one.
    package var traceparent: TraceParent?

    package init(
        attempt: AttemptID,
        task: TaskID,
        job: JobID,
        payload: TaskPayload,
        leaseMilliseconds: Int,
        deadlineMilliseconds: Int,
        traceparent: TraceParent? = nil
    ) {
        self.attempt = attempt
        self.task = task
        self.job = job
        self.payload = payload
        self.leaseMilliseconds = leaseMilliseconds
        self.deadlineMilliseconds = deadlineMilliseconds
        self.traceparent = traceparent
    }
}

/// The body of `POST /v1/workers/{id}/release`, which hands leases back at a clean stop without counting an attempt.
/// The answer is 204.
package struct LeaseRelease: Sendable, Hashable, Codable {
    /// The attempts to hand back; may be empty.
    package var attempts: [AttemptID]
    /// Whether the worker leaves for good.
    package var leaving: Bool

    package init(attempts: [AttemptID], leaving: Bool) {
        self.attempts = attempts
        self.leaving = leaving
    }
}
