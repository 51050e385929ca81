package import WireProtocol

/// The answer to one ``LeasePoll``.
package enum PollOutcome: Sendable, Hashable {
    /// The leases; empty when nothing is grantable to this worker now.
    case granted([LeaseGrant])
    /// The worker is not registered, or has left.
    case unknownWorker
}

/// What a worker says of the leases that it holds.
package struct WorkerBeat: Sendable, Hashable {
    /// The worker.
    package var worker: WorkerID
    /// The attempts that it works on, with their progress; may be empty.
    package var attempts: [AttemptProgress]

    package init(_ worker: WorkerID, _ attempts: [AttemptProgress]) {
        (self.worker, self.attempts) = (worker, attempts)
    }
}

/// The answer to one ``WorkerBeat``.
package enum BeatOutcome: Sendable, Hashable {
    /// The worker holds the leases that the reply lists as renewed, and no others of its beat.
    case renewed(HeartbeatReply)
    /// Somebody else works at one of its leases now, and the beat was not to wait. The leases that nobody works at are renewed;
    /// it is to be asked again.
    case undecided
    /// The worker is not registered, or has left.
    case unknownWorker
}

/// What a worker says of an attempt that it has completed.
package struct AttemptCompletion: Sendable, Hashable {
    /// The attempt.
    package var attempt: AttemptID
    /// What it made, and what that cost.
    package var completion: TaskCompletion

    package init(_ attempt: AttemptID, _ completion: TaskCompletion) {
        (self.attempt, self.completion) = (attempt, completion)
    }
}

/// The answer to a completion.
package enum CompletionOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The artifact counts: the task is completed with it.
    case accepted
    /// The artifact is the first of an audited task: it counts once another machine has made the same.
    case delivered
    /// The artifact of an audited task is none of those that other machines have made: yet another decides.
    case differed
    /// The task is done with the same digest: the first reply was lost, or a hedge made the same bytes.
    case alreadyDone
    /// 409 `lease_lost`: the attempt is superseded, failed, released, cancelled or unknown, or another worker's.
    case leaseLost
    /// 409 `artifact_conflict`: the task is done with another digest; the first one stays.
    case conflict
}

/// The answer to a failure report.
package enum FailureOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The failure is recorded, now or before.
    case recorded
    /// 409 `lease_lost`: the attempt is not live, or another worker's.
    case leaseLost
}

/// The answer to a cancellation.
package enum CancelOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The job is cancelled, now or before.
    case cancelled
    /// The job completed or failed first, and stays so.
    case alreadyFinal
}

/// What a client may ask of a job beside cancelling it.
package enum JobControl: Sendable, Hashable {
    /// Nothing new is granted; what runs is finished and accepted.
    case pause
    /// The end of a pause.
    case resume
    /// Another priority among the owner's jobs, a number of 32 bits.
    case priority(Int)
    /// A job that failed goes on with what was accepted.
    case retry
}

/// The answer to a ``JobControl``.
package enum ControlOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// Done, or it was so already.
    case done
    /// The job has ended, and stays so.
    case alreadyFinal
    /// The job was completed or cancelled: there is nothing to retry.
    case notFailed
    /// The job failed, and its tasks are no longer kept.
    case pruned
}

/// What one sweep did.
package enum SweepOutcome: Sendable, Hashable {
    /// The leases of this many live attempts ended since the last sweep, and count as expired from here on.
    case advanced(expired: Int)
    /// Nobody swept for longer than ``LeasePolicy/stallMilliseconds``: the farm itself slept, and that time was taken
    /// out of the leases of this many live attempts.
    case forgave(Int)
}
