public import WireProtocol

/// The answer to one ``LeasePoll``.
public enum PollOutcome: Sendable, Hashable {
    /// Empty: nothing is grantable to this worker now.
    case granted([LeaseGrant])
    case unknownWorker
}

/// The answer to a completion.
public enum CompletionOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    case accepted
    /// The task is done with the same digest: the first reply was lost, or a hedge made the same bytes.
    case alreadyDone
    /// 409 `lease_lost`: the attempt is superseded, failed, released, cancelled or unknown, or another worker's.
    case leaseLost
    /// 409 `artifact_conflict`: the task is done with another digest; the first one stays.
    case conflict
}

/// The answer to a failure report.
public enum FailureOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// Also when the same attempt's failure was recorded before.
    case recorded
    /// 409 `lease_lost`.
    case leaseLost
}

/// The answer to a cancellation.
public enum CancelOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// Also when it was cancelled before.
    case cancelled
    /// It completed or failed first, and stays so.
    case alreadyFinal
}

/// What one sweep did.
public enum SweepOutcome: Sendable, Hashable {
    /// Leases that ended up to now count as expired from here on: so many live attempts.
    case advanced(expired: Int)
    /// Nobody swept for longer than ``LeasePolicy/stallMilliseconds``: the farm itself slept, and every lease was
    /// given its full length anew: so many live attempts.
    case forgave(Int)
}
