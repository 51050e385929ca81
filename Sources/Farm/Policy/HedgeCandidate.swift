public import WireProtocol

/// A leased task with exactly one live attempt whose lease has not expired, as the store's query found it.
public struct HedgeCandidate: Sendable, Hashable {
    /// The task as a candidate of the queue.
    public var candidate: GrantCandidate
    /// The time when its live attempt was granted.
    public var started: FarmTime
    /// The worker of its live attempt.
    public var worker: WorkerID
    /// The times from grant to acceptance of the completed attempts of the same job and kind, ascending.
    public var siblingMilliseconds: [Int64]

    /// Makes a candidate from a row of the store's query.
    public init(candidate: GrantCandidate, started: FarmTime, worker: WorkerID, siblingMilliseconds: [Int64]) {
        self.candidate = candidate
        self.started = started
        self.worker = worker
        self.siblingMilliseconds = siblingMilliseconds
    }
}
