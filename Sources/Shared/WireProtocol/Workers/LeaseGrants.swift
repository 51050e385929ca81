import CompositionModel
import Planning

/// The body of `POST /v1/leases:poll`. The answer is 200 with ``LeaseGrants``, which are empty after `waitMilliseconds`
/// without work.
public struct LeasePoll: Sendable, Hashable, Codable {
    /// The worker that asks.
    public var worker: WorkerID
    /// The poll's identifier; the same poll sent again gets the same grants.
    public var poll: PollID
    /// The kinds of tasks that the worker accepts.
    public var kinds: [TaskKind]
    /// The most leases wanted, at least 1.
    public var capacity: Int
    /// The longest wait for work, in milliseconds; 0 answers at once.
    public var waitMilliseconds: Int

    public init(worker: WorkerID, poll: PollID, kinds: [TaskKind], capacity: Int, waitMilliseconds: Int) {
        self.worker = worker
        self.poll = poll
        self.kinds = kinds
        self.capacity = capacity
        self.waitMilliseconds = waitMilliseconds
    }
}

/// The answer to a ``LeasePoll``.
public struct LeaseGrants: Sendable, Hashable, Codable {
    /// The granted leases, at most the poll's capacity; empty without work.
    public var grants: [LeaseGrant]

    public init(grants: [LeaseGrant]) { self.grants = grants }
}

/// One lease of one task.
public struct LeaseGrant: Sendable, Hashable, Codable {
    /// The new attempt, named in everything that the worker reports about the task.
    public var attempt: AttemptID
    /// The task to do.
    public var task: TaskID
    /// The job of the task.
    public var job: JobID
    /// The work to do.
    public var payload: TaskPayload
    /// The milliseconds until the lease ends unless it is renewed; 0 when it has ended.
    public var leaseMilliseconds: Int
    /// The milliseconds until the absolute deadline, which no renewal extends; 0 when it has passed.
    public var deadlineMilliseconds: Int

    public init(
        attempt: AttemptID,
        task: TaskID,
        job: JobID,
        payload: TaskPayload,
        leaseMilliseconds: Int,
        deadlineMilliseconds: Int
    ) {
        self.attempt = attempt
        self.task = task
        self.job = job
        self.payload = payload
        self.leaseMilliseconds = leaseMilliseconds
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

/// The body of `POST /v1/workers/{id}/release`, which hands leases back at a clean stop without counting an attempt.
/// The answer is 204.
public struct LeaseRelease: Sendable, Hashable, Codable {
    /// The attempts to hand back; may be empty.
    public var attempts: [AttemptID]
    /// Whether the worker leaves for good.
    public var leaving: Bool

    public init(attempts: [AttemptID], leaving: Bool) {
        self.attempts = attempts
        self.leaving = leaving
    }
}
