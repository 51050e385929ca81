import CompositionModel
import Planning

/// `POST /v1/leases:poll` → 200 ``LeaseGrants`` (empty after `waitMilliseconds` without work).
public struct LeasePoll: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var poll: PollID
    public var kinds: [TaskKind]
    /// Most leases wanted, ≥ 1.
    public var capacity: Int
    public var waitMilliseconds: Int

    public init(worker: WorkerID, poll: PollID, kinds: [TaskKind], capacity: Int, waitMilliseconds: Int) {
        self.worker = worker
        self.poll = poll
        self.kinds = kinds
        self.capacity = capacity
        self.waitMilliseconds = waitMilliseconds
    }
}

public struct LeaseGrants: Sendable, Hashable, Codable {
    public var grants: [LeaseGrant]

    public init(grants: [LeaseGrant]) { self.grants = grants }
}

public struct LeaseGrant: Sendable, Hashable, Codable {
    public var attempt: AttemptID
    public var task: TaskID
    public var job: JobID
    public var payload: TaskPayload
    public var leaseMilliseconds: Int
    /// No renewal reaches past this: absolute from the grant.
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

/// `POST /v1/workers/{id}/release`: hands leases back at a clean stop, without counting an attempt → 204.
public struct LeaseRelease: Sendable, Hashable, Codable {
    public var attempts: [AttemptID]
    /// The worker is leaving for good.
    public var leaving: Bool

    public init(attempts: [AttemptID], leaving: Bool) {
        self.attempts = attempts
        self.leaving = leaving
    }
}
