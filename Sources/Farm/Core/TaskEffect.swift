package import CompositionModel
package import WireProtocol

/// What a decision about one task asks for. ``TaskDecision`` turns it into rows to write.
package enum TaskEffect: Sendable, Hashable {
    /// A new live attempt.
    case granted(AttemptRecord)
    /// An attempt is no longer live.
    case ended(AttemptRecord)
    /// The attempt whose artifact was accepted has failed after all.
    case rejected(AttemptRecord)
    /// The task's row changed. The state may be the same: a leased task that is leased anew.
    case changed(from: TaskState)
    /// The attempt made what later tasks of the same key can take.
    case made(by: AttemptRecord)
    /// Machines made an audited task differently, and none of them is outvoted yet.
    case differed
    /// The workers of a name run on a faulty machine, because of this failure; the machine is nil when it is not known.
    case convicted(String, machine: String?, Failure)
    /// The worker failed this task, and another has completed it.
    case provenFailure(WorkerID)
}
