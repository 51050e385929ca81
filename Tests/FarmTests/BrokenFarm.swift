import CompositionModel
import FarmSimulation
import WireProtocol

@testable import Farm

enum PlantedBug: CaseIterable {
    /// A late worker overwrites: any attempt may complete a leased task.
    case acceptSuperseded
    /// A second completion of a done task is accepted too.
    case acceptTwice
    /// The stitch is granted while segments are still missing.
    case grantBeforeStage
    /// A poll whose answer was lost is granted other leases.
    case forgetPoll
    /// Cancelling leaves the tasks alone.
    case forgetTasksOfCancelled
    /// Nothing ever expires.
    case neverExpire
    /// A released task is not queued again.
    case loseReleased
    /// The same submission makes a second job.
    case forgetIdempotency
    /// A failed completion of an expired attempt, although nobody superseded it.
    case refuseExpired
    /// The stitch goes on although a part of it was rejected.
    case joinRejected
    /// A rejected part stays accepted.
    case forgetRejected
    /// A task is granted though another makes its part.
    case makeTwice
    /// What a rejected part was taken for stays completed.
    case keepTakenOfRejected
    /// A part that is lost is offered again and again.
    case keepLostParts
    /// A job goes on although somebody paused it.
    case forgetPause
    /// A job goes on outside of its window.
    case forgetWindow
    /// A job goes on before the one after which it begins.
    case forgetEarlier
    /// What was accepted of a job that is retried is rendered again.
    case forgetAcceptedOfRetried
    /// What a faulty worker made is never withdrawn.
    case keepFaulty
    /// A committed result is lost.
    case loseAccepted
}

/// The model's tables with one bug, planted from outside so that the real code carries no trace of it.
struct BrokenFarm: SimulatedFarm {
    var tables: FarmTables
    let bug: PlantedBug
    private var calls: UInt64 = 0

    init(tables: FarmTables, bug: PlantedBug) {
        self.tables = tables
        self.bug = bug
    }

    mutating func insertJob(_ job: NewJob, at now: FarmTime) throws(FarmStoreError) -> JobInsertion {
        var job = job
        calls += 1
        if bug == .forgetIdempotency { job.idempotencyKey += " \(calls)" }
        let insertion = try tables.insertJob(job, at: now)
        if bug == .forgetWindow, let index = tables.jobIndex[insertion.job.id] {
            (tables.jobs[index].record.isOutsideWindow, tables.jobs[index].record.windowChange) = (false, nil)
        }
        if bug == .forgetEarlier, let index = tables.jobIndex[insertion.job.id] {
            tables.jobs[index].record.awaitedJobs = []
        }
        return insertion
    }

    mutating func cancel(_ job: JobID, at now: FarmTime) throws(FarmStoreError) -> CancelOutcome {
        let tasks = tables.tasks
        let outcome = try tables.cancel(job, at: now)
        if bug == .forgetTasksOfCancelled { tables.tasks = tasks }
        return outcome
    }

    mutating func registerWorker(_ registration: WorkerRegistration, at now: FarmTime) -> WorkerRegistered {
        tables.registerWorker(registration, at: now)
    }

    mutating func drain(_ worker: WorkerID) throws(FarmStoreError) { try tables.drain(worker) }

    mutating func acquireLeases(_ polls: [LeasePoll], at now: FarmTime) -> [PollOutcome] {
        if bug == .forgetPoll { tables.polls = [:] }
        if bug == .makeTwice { tables.making = [:] }
        guard bug == .grantBeforeStage else { return tables.acquireLeases(polls, at: now) }
        let stages = tables.tasks.map(\.record.stage)
        for index in tables.tasks.indices where tables.tasks[index].record.kind == .stitch {
            tables.tasks[index].record.stage = 0
        }
        defer { for (index, stage) in stages.enumerated() { tables.tasks[index].record.stage = stage } }
        return tables.acquireLeases(polls, at: now)
    }

    mutating func renew(
        _ worker: WorkerID,
        _ attempts: [AttemptProgress],
        at now: FarmTime
    ) throws(FarmStoreError) -> HeartbeatReply { try tables.renew(worker, attempts, at: now) }

    mutating func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion,
        at now: FarmTime
    ) -> CompletionOutcome {
        guard let index = tables.attemptIndex[attempt],
            let place = tables.tasks[index].attempts.firstIndex(where: { $0.id == attempt })
        else { return tables.complete(attempt, completion, at: now) }
        switch bug {
        case .acceptSuperseded where tables.tasks[index].record.state == .leased:
            tables.tasks[index].attempts[place].state = .live
        case .acceptTwice where tables.tasks[index].record.state == .completed: return .accepted
        case .refuseExpired where tables.tasks[index].attempts[place].until <= now: return .leaseLost
        case .loseAccepted where now.milliseconds % 7 == 0:
            let before = tables
            let outcome = tables.complete(attempt, completion, at: now)
            tables = before
            return outcome
        default: break
        }
        return tables.complete(attempt, completion, at: now)
    }

    mutating func fail(_ attempt: AttemptID, _ failure: TaskFailure, at now: FarmTime) -> FailureOutcome {
        tables.fail(attempt, failure, at: now)
    }

    mutating func reject(_ artifacts: [ContentDigest], because failure: Failure, at now: FarmTime) -> [TaskID] {
        let before = tables
        let rejected = tables.reject(artifacts, because: failure, at: now)
        switch bug {
        case .joinRejected:
            for index in tables.tasks.indices where tables.tasks[index].record.kind == .stitch {
                tables.tasks[index] = before.tasks[index]
            }
        case .forgetRejected: tables = before
        case .keepLostParts: tables.parts = before.parts
        case .keepTakenOfRejected:
            for index in tables.tasks.indices where before.tasks[index].record.isTaken {
                tables.tasks[index] = before.tasks[index]
            }
        default: break
        }
        return rejected
    }

    mutating func control(
        _ job: JobID,
        _ control: JobControl,
        at now: FarmTime
    ) throws(FarmStoreError) -> ControlOutcome {
        let before = tables
        let outcome = try tables.control(job, control, at: now)
        switch (bug, control) {
        case (.forgetPause, .pause): tables.jobs = before.jobs
        case (.forgetAcceptedOfRetried, .retry) where outcome == .done:
            for index in tables.tasks.indices where tables.tasks[index].record.job == job {
                tables.tasks[index].record.state = .queued
            }
        default: break
        }
        return outcome
    }

    func offers(limit: Int) -> [PartOffer] { tables.offers(limit: limit) }

    mutating func take(_ offers: [PartOffer], at now: FarmTime) -> [TaskID] { tables.take(offers, at: now) }

    mutating func removeParts(_ selection: PartSelection, at now: FarmTime) -> [PartRecord] {
        tables.removeParts(selection, at: now)
    }

    mutating func release(_ worker: WorkerID, _ release: LeaseRelease, at now: FarmTime) throws(FarmStoreError) {
        try tables.release(worker, release, at: now)
        guard bug == .loseReleased else { return }
        for index in tables.tasks.indices where release.attempts.contains(where: { tables.attemptIndex[$0] == index }) {
            tables.tasks[index].record.notBefore = now.adding(milliseconds: 1_000_000_000)
        }
    }

    mutating func withdrawFaulty(at now: FarmTime) -> [FaultyWithdrawal] {
        bug == .keepFaulty ? [] : tables.withdrawFaulty(at: now)
    }

    mutating func sweep(at now: FarmTime) -> SweepOutcome {
        bug == .neverExpire ? .advanced(expired: 0) : tables.sweep(at: now)
    }
}
