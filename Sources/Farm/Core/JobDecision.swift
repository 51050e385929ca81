import WireProtocol

/// What somebody decides about a job, from its locked row.
package struct JobDecision: Sendable {
    private var machine: JobMachine
    /// The rows to write, in order; empty when nothing is to be written.
    package private(set) var changes: [FarmChange] = []

    /// Begins a decision from the job's locked row.
    package init(job: JobRecord) { machine = JobMachine(job: job) }

    /// Cancels the job unless it is in a final state.
    package mutating func cancel(at now: FarmTime) -> CancelOutcome {
        let (outcome, effects) = machine.cancel(at: now)
        changes = effects.map { $0.change(of: machine.job) }
        return outcome
    }

    /// Follows the jobs that the job awaits, then its window (``JobMachine/follow(_:unfinished:at:)``,
    /// ``JobMachine/followWindow(at:)``).
    package mutating func follow(_ earlier: [EarlierJob], unfinished: [Int], at now: FarmTime) {
        let effects = machine.follow(earlier, unfinished: unfinished, at: now) + machine.followWindow(at: now)
        changes = effects.map { $0.change(of: machine.job) }
    }

    /// Tells, once, that the job misses its deadline (``JobMachine/tellLate()``).
    /// - Returns: whether it is told now.
    package mutating func tellLate() -> Bool {
        changes = machine.tellLate().map { $0.change(of: machine.job) }
        return !changes.isEmpty
    }

    /// Claims that the movie is put where it goes, or renews a claim (``JobMachine/claimDelivery(renewing:at:)``).
    /// - Returns: the claim; nil when there is nothing to claim, or `claim` is lost.
    package mutating func claimDelivery(renewing claim: FarmTime? = nil, at now: FarmTime) -> DueDelivery? {
        changes = machine.claimDelivery(renewing: claim, at: now).map { $0.change(of: machine.job) }
        guard !changes.isEmpty, let delivery = machine.job.delivery, let until = delivery.due,
            let artifact = machine.job.artifact
        else { return nil }
        return DueDelivery(
            job: machine.job.id,
            artifact: artifact,
            target: delivery.target,
            replaces: delivery.replaces,
            claimedUntil: until
        )
    }

    /// Notes what came of putting the movie where it goes (``JobMachine/note(_:by:at:)``).
    /// - Returns: whether anything changed.
    package mutating func note(_ outcome: DeliveryOutcome, by claim: FarmTime, at now: FarmTime) -> Bool {
        changes = machine.note(outcome, by: claim, at: now).map { $0.change(of: machine.job) }
        return !changes.isEmpty
    }

    /// Carries out what a client asks for.
    /// - Parameter unfinished: the number of the job's tasks that are not completed, by stage, to retry it.
    package mutating func control(_ control: JobControl, unfinished: [Int]) -> ControlOutcome {
        let (outcome, effects) =
            switch control {
            case .pause: machine.setPaused(true)
            case .resume: machine.setPaused(false)
            case .priority(let priority): machine.setPriority(priority)
            case .retry: machine.retry(unfinished: unfinished)
            }
        changes = effects.map { $0.change(of: machine.job) }
        return outcome
    }
}

extension JobEffect {
    /// The row to write, once `job` is as decided.
    func change(of job: JobRecord) -> FarmChange {
        switch self {
        case .updated: .updateJob(job)
        case .entered(let state): .event(job.id, nil, state: state.rawValue)
        case .late: .event(job.id, nil, state: JobEvent.late)
        case .delivered: .event(job.id, nil, state: JobEvent.delivered)
        case .cancelOpenTasks: .cancelOpenTasks(job.id)
        case .retryTasks: .retryTasks(job.id)
        case .withdrawTasks(let stage): .withdrawTasks(job.id, behind: stage)
        }
    }
}
