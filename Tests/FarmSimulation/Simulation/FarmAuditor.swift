import CompositionModel
import Farm
import WireProtocol

/// Watches the tables from outside and says what must never be seen. It repeats none of the core's reasoning: it
/// compares rows before and after, and remembers what was answered.
struct FarmAuditor {
    private(set) var violations: [String] = []
    private(set) var seen: [String: Int] = [:]
    /// What was accepted, by task.
    private var accepted: [TaskID: ContentDigest] = [:]
    private var acceptances: [TaskID] = []
    /// What each poll was granted first.
    private var polls: [PollID: [AttemptID]] = [:]
    /// The number of grants when each owner had the last one, of the tasks that join and of the others.
    private var turns: [Bool: [String: Int]] = [:]
    private var grantCount = 0

    /// What faulty memory made.
    var spoilt: Set<ContentDigest> = []

    mutating func note(_ outcome: String) { seen[outcome, default: 0] += 1 }

    private mutating func require(_ condition: Bool, _ violation: @autoclosure () -> String) {
        if !condition { violations.append(violation()) }
    }

    mutating func swept(_ outcome: SweepOutcome) {
        switch outcome {
        case .advanced(let expired): if expired > 0 { note("expired") }
        case .forgave: note("forgave")
        }
    }

    mutating func inserted(_ insertion: JobInsertion, again: JobID?) {
        require(again == nil || again == insertion.job.id, "one submission made two jobs")
        require(insertion.isNew == (again == nil), "a submission was not recognised")
    }

    mutating func granted(
        _ polls: [LeasePoll],
        _ outcomes: [PollOutcome],
        before: FarmTables,
        after: FarmTables,
        at now: FarmTime
    ) {
        checkTurn(polls, outcomes, before, at: now)
        for (poll, outcome) in zip(polls, outcomes) {
            guard case .granted(let grants) = outcome, !grants.isEmpty else { continue }
            granted(poll, grants, before: before, after: after, at: now)
        }
        // A task that was picked and given up had the slot of its owner.
        for job in before.jobs where !job.record.state.isFinal && after.jobRecord(job.record.id)?.state == .failed {
            let lost = after.rows(of: job.record.id).first { $0.record.state == .failed }
            takeTurn(job.record.owner, joining: lost?.record.kind == .stitch)
        }
        if outcomes.contains(where: { $0 != .granted([]) }) { check(after) }
    }

    /// No owner is passed over who has waited longer and has a task that any worker may have: the first new grant of a
    /// round is that owner's.
    private mutating func checkTurn(
        _ polls: [LeasePoll],
        _ outcomes: [PollOutcome],
        _ before: FarmTables,
        at now: FarmTime
    ) {
        for (poll, outcome) in zip(polls, outcomes) {
            guard case .granted(let grants) = outcome, let first = grants.first, self.polls[poll.poll] == nil else {
                continue
            }
            let row = before.row(first.task)?.record
            guard let owner = before.jobRecord(first.job)?.owner, row?.state == .queued else { return }
            let joining = row?.kind == .stitch
            for job in before.jobs where job.record.owner != owner && !job.record.state.isFinal {
                let isFree = before.tasks[job.tasks].contains { row in
                    row.attempts.isEmpty && row.record.state == .queued && !before.waitsForPart(row)
                        && row.record.claims.isEmpty && !(joining && before.awaitsWithdrawal)
                        && poll.kinds.contains(row.record.kind)
                        && row.record.mayBegin(in: job.record, at: now) && (row.record.kind == .stitch) == joining
                }
                guard isFree else { continue }
                note("turns")
                let (theirs, others) = (turns[joining]?[owner] ?? 0, turns[joining]?[job.record.owner] ?? 0)
                require(theirs <= others, "\(job.record.owner) was passed over for \(owner)")
            }
            return
        }
    }

    private mutating func takeTurn(_ owner: String, joining: Bool) {
        grantCount += 1
        turns[joining, default: [:]][owner] = grantCount
    }

    private mutating func granted(
        _ poll: LeasePoll,
        _ grants: [LeaseGrant],
        before: FarmTables,
        after: FarmTables,
        at now: FarmTime
    ) {
        if let first = polls[poll.poll] {
            note("poll.repeated")
            require(grants.allSatisfy { first.contains($0.attempt) }, "poll \(poll.poll) was granted twice")
            return
        }
        polls[poll.poll] = grants.map(\.attempt)
        require(grants.count <= poll.capacity, "poll \(poll.poll) got more than it asked for")
        for grant in grants { granted(grant, before: before, after: after, at: now) }
    }

    private mutating func granted(_ grant: LeaseGrant, before: FarmTables, after: FarmTables, at now: FarmTime) {
        guard let row = before.row(grant.task), let job = before.jobRecord(grant.job) else {
            return require(false, "\(grant.task) was granted and does not exist")
        }
        note(row.attempts.contains { $0.state == .live } ? "granted.again" : "granted")
        if !row.record.claims.isEmpty {
            note("granted.audit")
            let worker = after.attempt(grant.attempt)?.workerName
            let isOther = row.record.claims.allSatisfy { $0.workerName != worker }
            require(isOther, "\(grant.task) is audited by who made it")
        }
        if row.record.state == .queued, row.record.claims.isEmpty, let key = row.record.key,
            row.payload.versions != nil
        {
            // Whoever may go on with a maker whose leases have expired may never come: of a job that is held back, or of an
            // audited task, which not every worker may confirm.
            let makers = before.tasks.filter { maker in
                maker.record.key == key && maker.record.state == .leased
                    && (maker.record.claims.isEmpty && before.jobRecord(maker.record.job)?.isHeldBack == false
                        || !LeaseExpiry.freesTask(heldBy: maker.attempts, sweptAt: before.expiry))
            }
            require(makers.isEmpty, "\(grant.task) was granted while \(makers.map(\.record.id)) make its part")
            let parts = before.parts(limit: .max).filter { $0.key == key }
            require(parts.isEmpty, "\(grant.task) was granted though its part is there")
        }
        require(!row.record.state.isFinal, "\(grant.task) was granted after it was \(row.record.state)")
        require(!job.state.isFinal, "\(grant.task) was granted after its job was \(job.state)")
        require(!job.isPaused, "\(grant.task) was granted although its job is paused")
        for earlier in job.afterJobs {
            note("granted.afterOther")
            let state = before.jobRecord(earlier)?.state
            require(state == .completed, "\(grant.task) was granted while \(earlier) is \(String(describing: state))")
        }
        if row.record.kind != .stitch, let window = job.window {
            note("granted.inWindow")
            require(WindowCalendar(window).isOpen(at: now), "\(grant.task) was granted outside of \(window.words)")
        }
        let earlier = before.rows(of: grant.job).filter { $0.record.stage < row.record.stage }
        require(
            row.record.isIndependent || earlier.allSatisfy { $0.record.state == .completed },
            "\(grant.task) was granted before its stage came"
        )
        require(before.attempt(grant.attempt) == nil, "\(grant.attempt) is no new attempt")
        let live = after.row(grant.task)?.attempts.count { $0.state == .live } ?? 0
        if live > 1 { note("hedged") } else { takeTurn(job.owner, joining: row.record.kind == .stitch) }
        require(live <= 2, "\(grant.task) has \(live) live attempts")
    }

    mutating func completed(
        _ attempt: AttemptID,
        _ completion: TaskCompletion,
        _ outcome: CompletionOutcome,
        before: FarmTables,
        after: FarmTables,
        isStored: Bool
    ) {
        note("complete." + outcome.rawValue)
        check(after)
        guard let was = before.attempt(attempt), let row = after.row(was.task) else { return }
        require(isStored, "\(attempt) completed without its artifact")
        let isSuspect = row.record.kind == .stitch && before.awaitsWithdrawal
        switch outcome {
        case .accepted:
            require(was.state == .live, "\(attempt) was \(was.state) and was accepted")
            require(before.jobRecord(was.job)?.state.isFinal == false, "a final job accepted \(attempt)")
            require(accepted[was.task] == nil, "\(was.task) was completed twice")
            require(!isSuspect, "\(was.task) has joined parts that were not withdrawn yet")
            accepted[was.task] = completion.artifact
            acceptances.append(was.task)
            guard row.record.isAudited else { return }
            note("audited")
            let isConfirmed =
                before.row(was.task)?.record.claims.contains { claim in
                    claim.artifact == completion.artifact && claim.workerName != was.workerName
                } ?? false
            require(isConfirmed, "\(was.task) was accepted though no other machine made the same")
            require(!spoilt.contains(completion.artifact), "\(was.task) is audited and was accepted spoilt")
        case .delivered, .differed:
            require(was.state == .live, "\(attempt) was \(was.state) and delivered")
            require(row.record.isAudited, "\(was.task) is not audited and waits for another machine")
            require(row.record.state != .completed, "\(was.task) was completed by one machine")
        case .alreadyDone where was.state == .delivered:
            let isClaimed = row.record.claims.contains { $0.attempt == attempt && $0.artifact == completion.artifact }
            require(
                isClaimed || row.record.artifact == completion.artifact,
                "\(attempt) was told “already done” of nothing"
            )
        case .alreadyDone:
            require(accepted[was.task] == completion.artifact, "\(attempt) was told “already done” of other bytes")
        case .conflict where !spoilt.isEmpty: note("conflict.spoilt")
        case .conflict: require(false, "equal bytes of \(was.task) are in conflict")
        case .leaseLost:
            let isOver = was.state != .live || row.record.state == .completed
            require(isOver || isSuspect, "\(attempt) held its lease and lost it")
        }
    }

    mutating func controlled(
        _ job: JobID,
        _ control: JobControl,
        _ outcome: ControlOutcome,
        before: FarmTables,
        after: FarmTables
    ) {
        guard let was = before.jobRecord(job), let record = after.jobRecord(job) else { return }
        note("control.\(control == .retry ? "retry" : "pause").\(outcome.rawValue)")
        switch control {
        case .pause: require(outcome != .done || record.isPaused, "\(job) was not paused")
        case .resume: require(outcome != .done || !record.isPaused, "\(job) stays paused")
        case .retry where outcome == .done && was.state == .failed:
            require(!record.state.isFinal && record.failure == nil, "\(job) was retried and is \(record.state)")
            for (row, earlier) in zip(after.rows(of: job), before.rows(of: job)) {
                let kept = earlier.record.state == .completed
                require(kept ? row.record == earlier.record : row.record.state == .queued, "\(row.record.id) was lost")
            }
        case .retry, .priority: break
        }
        check(after)
    }

    /// - Parameter intact: what was offered, with parts that were read.
    mutating func took(_ intact: [PartOffer], _ taken: [TaskID], before: FarmTables, after: FarmTables) {
        for task in taken {
            note("taken")
            guard let was = before.row(task)?.record, let row = after.row(task)?.record else { continue }
            require(was.state == .queued, "\(task) was \(was.state) and took a part")
            if row.isAudited {
                note("claimed")
                let parts = intact.filter { $0.task == task }.map(\.part.artifact)
                require(row.claims.map(\.artifact) == parts, "\(task) claims other than the part that is there")
                continue
            }
            require(row.state == .completed && row.isTaken, "\(task) took a part and is \(row.state)")
            let isOffered = intact.contains { $0.task == task && $0.part.artifact == row.artifact }
            require(isOffered, "\(task) took another part")
            require(before.jobRecord(was.job)?.state.isFinal == false, "a final job took a part")
            let own = was.key.map(SampleJob.artifact(ofKey:))
            let isOwn = row.artifact == own || row.artifact == own.map(SampleJob.spoilt)
            require(isOwn, "\(task) took what is not its own")
            accepted[task] = row.artifact
            acceptances.append(task)
        }
        check(after)
    }

    mutating func rejected(
        _ artifacts: [ContentDigest],
        _ tasks: [TaskID],
        before: FarmTables,
        after: FarmTables
    ) {
        if !tasks.isEmpty { note("rejected") }
        for task in tasks {
            guard let was = before.row(task)?.record, let row = after.row(task) else { continue }
            require(was.state == .completed && artifacts.contains { $0 == was.artifact }, "\(task) was rejected")
            require(row.record.state == .queued || row.record.state == .failed, "\(task) stays \(row.record.state)")
            let waiting = after.rows(of: was.job).filter { $0.record.stage > was.stage && !$0.record.isIndependent }
            require(!waiting.contains { $0.record.state == .leased }, "\(was.job) goes on without \(task)")
            accepted[task] = nil
            acceptances.removeAll { $0 == task }
        }
        check(after)
    }

    /// Only the faulty worker is convicted, and nothing that it spoilt is left in a job that goes on.
    mutating func withdrew(
        _ withdrawals: [FaultyWithdrawal],
        spoiler: String?,
        before: FarmTables,
        after: FarmTables
    ) {
        for withdrawal in withdrawals {
            note("convicted")
            require(withdrawal.worker.name == spoiler, "“\(withdrawal.worker.name)” was convicted and is sound")
            for task in withdrawal.tasks {
                note("withdrawn")
                accepted[task] = nil
                acceptances.removeAll { $0 == task }
            }
        }
        for job in after.jobs where !job.record.state.isFinal {
            let left = after.tasks[job.tasks].filter { $0.record.artifact.map(spoilt.contains) ?? false }
            require(left.isEmpty, "\(job.record.id) keeps spoilt parts")
        }
        require(!after.parts(limit: .max).contains { spoilt.contains($0.artifact) }, "spoilt parts are kept")
        check(after)
    }

    mutating func cancelled(_ job: JobID, _ outcome: CancelOutcome, before: FarmTables, after: FarmTables) {
        note("cancel." + outcome.rawValue)
        let was = before.jobRecord(job)?.state
        require(after.jobRecord(job)?.state == (outcome == .cancelled ? .cancelled : was), "\(job) was not cancelled")
        check(after)
    }
}

// What the tables as a whole must look like.
extension FarmAuditor {
    mutating func check(_ tables: FarmTables) {
        for job in tables.jobs {
            let rows = tables.tasks[job.tasks]
            let allCompleted = rows.allSatisfy { $0.record.state == .completed }
            require(allCompleted == (job.record.state == .completed), "\(job.record.id) is \(job.record.state)")
            require(
                !job.record.state.isFinal || rows.allSatisfy { $0.record.state.isFinal },
                "\(job.record.id) is \(job.record.state) and has open tasks"
            )
            require((job.record.state == .failed) == (job.record.failure != nil), "a failed job has its reason")
            for row in rows { check(row) }
        }
        for task in acceptances {
            require(tables.row(task)?.record.artifact == accepted[task], "an accepted result of \(task) is gone")
        }
    }

    private mutating func check(_ row: FarmTables.TaskRow) {
        let live = row.attempts.count { $0.state == .live }
        let id = row.record.id
        require((live > 0) == (row.record.state == .leased), "\(id) is \(row.record.state) with \(live) live attempts")
        require(
            row.attempts.count { $0.state == .completed }
                == (row.record.state == .completed && !row.record.isTaken ? 1 : 0),
            "\(id) is \(row.record.state) by other than one attempt"
        )
        require(
            (row.record.state == .completed) == (row.record.artifact != nil),
            "\(id) is \(row.record.state) without result"
        )
        require(row.record.state != .completed || row.record.claims.isEmpty, "\(id) is completed and still audited")
        require(row.record.claims.isEmpty || row.record.isAudited, "\(id) has claims and is not audited")
    }

    /// - Parameter acknowledged: the jobs that clients were told of.
    mutating func checkEnd(_ tables: FarmTables, acknowledged: [JobID?]) {
        check(tables)
        if tables.workers.contains(where: tables.policy.isBlocklisted) { note("blocklisted") }
        for job in acknowledged {
            guard let job, let record = tables.jobRecord(job) else {
                require(false, "a job that a client submitted is missing")
                continue
            }
            require(record.state.isFinal, "\(job) is still \(record.state)")
            note("job." + record.state.rawValue)
            if let failure = record.failure { note("failure." + failure.code) }
            checkFailure(record, tables)
        }
    }

    /// Where nothing goes wrong, nothing fails, and nothing is done twice but stragglers.
    mutating func checkCalmEnd(_ tables: FarmTables) {
        require(tables.jobs.allSatisfy { $0.record.state == .completed }, "a calm farm did not complete its jobs")
        for row in tables.tasks {
            require(row.attempts.allSatisfy { $0.failure == nil }, "a calm farm failed \(row.record.id)")
        }
    }

    /// A child whose attempt its worker has given up, because it was lost or cancelled, must have been ended.
    mutating func holds(children: some Collection<AttemptID>, attempts: some Collection<AttemptID>) {
        for child in children { require(attempts.contains(child), "the child of \(child) outlives its attempt") }
    }

    mutating func started(children: Int, slots: Int) {
        require(children <= slots, "a worker of \(slots) slots has \(children) tasks")
    }

    /// A job fails for a bad input, or after as many failures as the policy says; never for the farm's own troubles.
    private mutating func checkFailure(_ job: JobRecord, _ tables: FarmTables) {
        guard let failure = job.failure else { return }
        let failures =
            tables.rows(of: job.id).map { row in
                row.attempts.count { attempt in
                    attempt.failure != nil && attempt.started >= row.record.countedFrom ?? attempt.started
                }
            }.max() ?? 0
        switch failure.code {
        case FarmFailure.taskQuarantined: require(failures >= 3, "quarantined after \(failures) failures")
        case FarmFailure.attemptsExhausted, FarmFailure.noSpace:
            require(failures >= 10, "exhausted after \(failures) failures")
        case FarmFailure.earlierJobFailed:
            let states = job.awaitedJobs.compactMap { tables.jobRecord($0)?.state }
            let isLost = states.contains { [.failed, .cancelled].contains($0) }
            require(isLost, "\(job.id) failed although no job before it did")
        default: require(failure.code == "asset_truncated", "\(job.id) failed with \(failure.code)")
        }
    }
}
