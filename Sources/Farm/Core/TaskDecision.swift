package import CompositionModel
package import WireProtocol

/// One decision about one task, from the locked rows of its job, itself and its attempts to the rows to write.
///
/// Make it, call one method, write ``changes`` in order, commit. ``FarmStore`` shows where it stands in a transaction.
package struct TaskDecision: Sendable {
    private var jobMachine: JobMachine
    private var taskMachine: TaskMachine
    private let keepsParts: Bool
    /// The rows to write, in order; empty when nothing is to be written.
    package private(set) var changes: [FarmChange] = []

    /// Begins a decision from locked rows.
    /// - Parameter attempts: all attempts of the task, in the order of their grants.
    /// - Precondition: the task is one of the job's.
    package init(job: JobRecord, task: TaskRecord, attempts: [AttemptRecord], policy: FarmPolicy) {
        precondition(task.job == job.id)
        jobMachine = JobMachine(job: job)
        taskMachine = TaskMachine(task: task, attempts: attempts, policy: policy)
        keepsParts = policy.keepsParts
    }

    /// Grants the task to a worker, if it may have it now.
    /// - Returns: the attempt; nil when the task was not granted, because it is not grantable (any more) or has just
    ///   been given up, which is in ``changes``.
    package mutating func grant(
        _ attempt: AttemptID,
        to worker: WorkerRecord,
        poll: PollID,
        because reason: TaskMachine.GrantReason,
        at now: FarmTime
    ) -> AttemptRecord? {
        guard taskMachine.task.isOpen(in: jobMachine.job) else { return nil }
        let effects = taskMachine.grant(attempt, to: worker, poll: poll, because: reason, at: now)
        apply(effects, at: now)
        return effects.lazy.compactMap { if case .granted(let granted) = $0 { granted } else { nil } }.first
    }

    /// Accepts the artifact of an attempt, if the attempt still counts.
    /// - Parameter awaitsWithdrawal: whether something that a faulty machine made has still to be withdrawn. A movie is
    ///   not accepted then, and its task is queued again.
    package mutating func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion,
        awaitsWithdrawal: Bool,
        at now: FarmTime
    ) -> CompletionOutcome {
        let isSuspect = awaitsWithdrawal && taskMachine.task.kind == .stitch
        let (outcome, effects) =
            isSuspect
            ? taskMachine.refuseMovie(of: attempt, completion, at: now)
            : taskMachine.complete(attempt, completion, at: now)
        apply(effects, at: now)
        return outcome
    }

    /// Records the failure of an attempt, and queues the task again or gives it up.
    package mutating func fail(_ attempt: AttemptID, _ report: TaskFailure, at now: FarmTime) -> FailureOutcome {
        let (outcome, effects) = taskMachine.fail(attempt, report, at: now)
        apply(effects, at: now)
        return outcome
    }

    /// Hands an attempt back without counting it against anything. An attempt that `worker` does not hold is passed
    /// over.
    package mutating func release(_ attempt: AttemptID, by worker: WorkerID, at now: FarmTime) {
        apply(taskMachine.release(attempt, by: worker, at: now), at: now)
    }

    /// Completes the task with a part that is there. Nothing happens to a task that is not queued.
    package mutating func take(_ part: PartRecord, at now: FarmTime) {
        guard !jobMachine.job.state.isFinal else { return }
        apply(taskMachine.take(part), at: now)
    }

    /// Takes an accepted artifact back, and queues the task again or gives it up. Nothing happens to a job that is final:
    /// nobody needs its parts.
    package mutating func reject(_ artifact: ContentDigest, because failure: Failure, at now: FarmTime) {
        guard !jobMachine.job.state.isFinal else { return }
        apply(taskMachine.reject(artifact, because: failure, at: now), at: now)
    }

    /// Frees the task of workers whose machine is faulty: their live attempts are handed back, and what they claimed of an
    /// audited task counts no more.
    /// - Parameter identities: those of the workers (``WorkerRecord/identities``).
    package mutating func disown(_ identities: Set<String>, at now: FarmTime) {
        apply(taskMachine.disown(identities, at: now), at: now)
    }

    /// Drops what machines claimed of an audited task with artifacts that are withdrawn. The machines may be sound: a
    /// measurement was wrong by which they made them. They may render the task again.
    package mutating func disclaim(_ artifacts: Set<ContentDigest>, at now: FarmTime) {
        apply(taskMachine.disclaim(artifacts), at: now)
    }

    private mutating func apply(_ effects: [TaskEffect], at now: FarmTime) {
        for effect in effects {
            switch effect {
            case .granted(let attempt): changes.append(.insertAttempt(attempt))
            case .ended(let attempt): changes.append(.endAttempt(attempt))
            case .rejected(let attempt): changes.append(.rejectAttempt(attempt))
            case .made(let attempt):
                if keepsParts, taskMachine.task.key != nil { changes.append(.keepPart(taskMachine.task, by: attempt)) }
            case .provenFailure(let worker): changes.append(.countProvenFailure(worker))
            case .convicted(let name, let machine, let failure):
                changes.append(.convict(name, machine: machine, reason: failure.message))
            case .differed:
                changes += jobMachine.auditDiffered().map { $0.change(of: jobMachine.job) }
            case .changed(let previous): taskChanged(from: previous, at: now)
            }
        }
    }

    private mutating func taskChanged(from previous: TaskState, at now: FarmTime) {
        let task = taskMachine.task
        changes.append(.updateTask(task))
        changes.append(.event(task.job, task.id, state: task.state.rawValue))
        changes += jobMachine.taskChanged(task, from: previous, at: now).map { $0.change(of: jobMachine.job) }
    }
}
