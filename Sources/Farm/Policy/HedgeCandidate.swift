package import WireProtocol

/// A leased task with exactly one live attempt whose lease has not expired, as the store's query found it.
package struct HedgeCandidate: Sendable, Hashable {
    /// The task as a candidate of the queue.
    package var candidate: GrantCandidate
    /// The time when its live attempt was granted.
    package var started: FarmTime
    /// The worker of its live attempt.
    package var worker: WorkerID
    /// The times from grant to acceptance of the completed attempts of the same job and kind, ascending.
    package var siblingMilliseconds: [Int64]

    /// Makes a candidate from a row of the store's query.
    package init(candidate: GrantCandidate, started: FarmTime, worker: WorkerID, siblingMilliseconds: [Int64]) {
        self.candidate = candidate
        self.started = started
        self.worker = worker
        self.siblingMilliseconds = siblingMilliseconds
    }
}
