package import WireProtocol

/// A leased task with exactly one live attempt whose lease has not expired, as the store's query found it.
package struct HedgeCandidate: Sendable, Hashable {
    /// The task as a candidate of the queue.
    package var candidate: GrantCandidate
    /// The time when its live attempt was granted.
    package var started: FarmTime
    /// The worker of its live attempt.
    package var worker: WorkerID
    /// The progress of its live attempt as last reported, 0 … 1000.
    package var permille: Int
    /// What the completed attempts of the same job and kind took.
    package var siblings: SiblingTimes

    /// Makes a candidate from a row of the store's query.
    package init(
        candidate: GrantCandidate,
        started: FarmTime,
        worker: WorkerID,
        permille: Int,
        siblings: SiblingTimes
    ) {
        self.candidate = candidate
        self.started = started
        self.worker = worker
        self.permille = permille
        self.siblings = siblings
    }

    /// The milliseconds until the live attempt is done, if it goes on as it went; nil before it tells.
    func millisecondsLeft(at now: FarmTime) -> Double? {
        guard permille >= TaskEffort.tellingPermille else { return nil }
        return Double(now.milliseconds(since: started)) * Double(1000 - permille) / Double(permille)
    }
}
