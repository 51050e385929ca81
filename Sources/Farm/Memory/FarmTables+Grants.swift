package import WireProtocol

extension FarmTables {
    /// Leases that end at or before it have expired: the last sweep.
    package var expiry: FarmTime { sweptAt ?? FarmTime(milliseconds: .min) }

    /// Answers polls in order, at one instant (``FarmStore/acquireLeases(_:)``).
    package mutating func acquireLeases(_ polls: [LeasePoll], at now: FarmTime) -> [PollOutcome] {
        for poll in polls where (try? present(poll.worker)) != nil { touch(poll.worker, at: now) }
        return polls.map { answer($0, at: now) }
    }

    private mutating func answer(_ poll: LeasePoll, at now: FarmTime) -> PollOutcome {
        guard let index = try? present(poll.worker) else { return .unknownWorker }
        if let earlier = polls[poll.poll] { return .granted(repeated(earlier, for: poll, at: now)) }
        let worker = workers[index]
        guard policy.takesWork(worker), poll.capacity > 0 else { return .granted([]) }
        return .granted(grantNew(poll, to: worker, at: now))
    }

    /// The reply was lost: what is still held, renewed.
    private mutating func repeated(_ attempts: [AttemptID], for poll: LeasePoll, at now: FarmTime) -> [LeaseGrant] {
        attempts.compactMap { id in
            guard let index = attemptIndex[id], let held = attempt(id),
                let renewed = policy.lease.renewed(held, by: poll.worker, permille: held.permille, at: now)
            else { return nil }
            replace(renewed)
            return renewed.leaseGrant(tasks[index].payload, at: now)
        }
    }

    private mutating func grantNew(_ poll: LeasePoll, to worker: WorkerRecord, at now: FarmTime) -> [LeaseGrant] {
        let eligible = workers.filter { policy.isEligible($0, at: now) }
        var limit = min(poll.capacity, 1000) + FarmTables.spareCandidates
        var head = head(for: poll, of: worker, at: now, limit: limit)
        var choice = GrantPolicy.choose(head.candidates, for: poll, of: worker, workers: eligible, turns: turns)
        while !choice.exhausted.isDisjoint(with: head.unfinished) {
            limit *= 4
            head = self.head(for: poll, of: worker, at: now, limit: limit)
            choice = GrantPolicy.choose(head.candidates, for: poll, of: worker, workers: eligible, turns: turns)
        }
        if !choice.picks.isEmpty {
            let expiry = expiry
            turns = choice.turns
            return choice.picks.compactMap { grant($0.task, poll, worker, because: .turn(expiry: expiry), at: now) }
        }
        guard head.candidates.isEmpty,
            let straggler = policy.hedge.choose(stragglers(of: poll.kinds, at: now), for: poll, of: worker, at: now)
        else { return [] }
        return [grant(straggler.candidate.task, poll, worker, because: .hedge, at: now)].compactMap { $0 }
    }

    private mutating func grant(
        _ task: TaskID,
        _ poll: LeasePoll,
        _ worker: WorkerRecord,
        because reason: TaskMachine.GrantReason,
        at now: FarmTime
    ) -> LeaseGrant? {
        let id: AttemptID = identifiers.next(at: now)
        guard let index = taskIndex[task], var decision = decision(onTaskAt: index) else { return nil }
        let attempt = decision.grant(id, to: worker, poll: poll.poll, because: reason, at: now)
        write(decision.changes, at: now)
        return attempt?.leaseGrant(tasks[index].payload, at: now)
    }

    /// Candidates of each owner beyond the capacity of a poll, so that one that is passed over seldom has the queue read
    /// again.
    private static let spareCandidates = 8

    /// The head of the queue of each owner, of the kinds that `poll` asks for and the versions that `worker` has. A job
    /// of ten thousand tasks is read for every grant, so only as many candidates are made as may be picked.
    /// - Parameter limit: the most candidates of one owner.
    /// - Returns: the candidates of each owner in the order of the queue, and the owners who have more.
    private func head(
        for poll: LeasePoll,
        of worker: WorkerRecord,
        at now: FarmTime,
        limit: Int
    ) -> (candidates: [GrantCandidate], unfinished: Set<String>) {
        let (expiry, kinds) = (expiry, poll.kinds)
        var candidates: [GrantCandidate] = []
        var unfinished: Set<String> = []
        var counts: [String: Int] = [:]
        for job in openJobs() {
            let owner = job.record.owner
            guard !unfinished.contains(owner) else { continue }
            var count = counts[owner, default: 0]
            let isMet = job.record.requirements.areMet(by: worker)
            for place in job.queue {
                guard kinds.contains(tasks[place].record.kind), tasks[place].record.mayBegin(in: job.record, at: now),
                    tasks[place].isGrantable(at: now, expiry: expiry), worker.has(tasks[place].payload.versions),
                    !waitsForPart(tasks[place]), tasks[place].record.mayBeWitnessed(by: worker),
                    tasks[place].record.kind != .stitch ? isMet : !awaitsWithdrawal
                else { continue }
                guard count < limit else {
                    unfinished.insert(owner)
                    break
                }
                count += 1
                candidates.append(candidate(tasks[place], of: job.record))
            }
            counts[owner] = count
        }
        return (candidates, unfinished)
    }

    /// The jobs that have tasks to grant, in the order of the queue.
    private func openJobs() -> [JobRow] {
        jobs.filter { $0.record.openStage != nil }.sorted { left, right in
            let (left, right) = (left.record, right.record)
            return left.priority != right.priority ? left.priority > right.priority : left.id < right.id
        }
    }

    private func stragglers(of kinds: [TaskKind], at now: FarmTime) -> [HedgeCandidate] {
        var stragglers: [HedgeCandidate] = []
        for job in openJobs() {
            var siblings: [TaskKind: SiblingTimes] = [:]
            for place in job.queue {
                let kind = tasks[place].record.kind
                guard kinds.contains(kind), tasks[place].record.mayBegin(in: job.record, at: now),
                    tasks[place].isHedgeable(expiry: expiry),
                    let live = tasks[place].attempts.first(where: { $0.state == .live })
                else { continue }
                let usual = siblings[kind] ?? self.siblings(of: kind, in: job)
                siblings[kind] = usual
                stragglers.append(
                    HedgeCandidate(
                        candidate: candidate(tasks[place], of: job.record),
                        started: live.started,
                        worker: live.worker,
                        permille: live.permille,
                        siblings: usual
                    )
                )
            }
        }
        return stragglers
    }

    /// The kinds of the job's open tasks that no worker holds.
    func waitingKinds(of job: JobRow) -> Set<TaskKind> {
        var kinds: Set<TaskKind> = []
        for place in job.tasks
        where tasks[place].record.isOpen(in: job.record) && tasks[place].isWaiting(expiry: expiry) {
            kinds.insert(tasks[place].record.kind)
        }
        return kinds
    }

    private func candidate(_ row: TaskRow, of job: JobRecord) -> GrantCandidate {
        let failed = row.attempts.filter { attempt in
            attempt.hasFailed && row.record.counts(attempt) || LeaseExpiry.hasExpired(attempt, bySweepAt: expiry)
        }
        return GrantCandidate(
            task: row.record.id,
            job: row.record.job,
            owner: job.owner,
            kind: row.record.kind,
            position: row.record.position,
            priority: job.priority,
            stage: row.record.stage,
            costMilliseconds: row.record.costMilliseconds,
            failedWorkers: failed.map(\.worker).uniqued(),
            versions: row.payload.versions,
            key: policy.keepsParts ? row.record.key : nil,
            witnesses: row.record.witnesses,
            requirements: job.requirements
        )
    }

    /// What the completed attempts of a job's tasks of one kind took.
    private func siblings(of kind: TaskKind, in job: JobRow) -> SiblingTimes {
        var attempts: [(worker: WorkerID, pace: SiblingTimes.Pace)] = []
        for place in job.tasks where tasks[place].record.kind == kind {
            let cost = tasks[place].record.costMilliseconds
            for attempt in tasks[place].attempts where attempt.state == .completed {
                guard let ended = attempt.ended else { continue }
                let lasted = ended.milliseconds(since: attempt.started)
                attempts.append((attempt.worker, SiblingTimes.Pace(milliseconds: lasted, costMilliseconds: cost)))
            }
        }
        return SiblingTimes(attempts)
    }
}

extension FarmTables.TaskRow {
    /// Queued and due, or leased with every live lease expired.
    fileprivate func isGrantable(at now: FarmTime, expiry: FarmTime) -> Bool {
        isWaiting(expiry: expiry) && (record.state == .leased || record.notBefore <= now)
    }

    /// Queued, or leased with every live lease expired.
    fileprivate func isWaiting(expiry: FarmTime) -> Bool {
        switch record.state {
        case .queued: true
        case .leased: LeaseExpiry.freesTask(heldBy: attempts, sweptAt: expiry)
        default: false
        }
    }

    /// Leased, with exactly one live attempt, whose lease has not expired.
    fileprivate func isHedgeable(expiry: FarmTime) -> Bool {
        guard record.state == .leased else { return false }
        let live = attempts.filter { $0.state == .live }
        return live.count == 1 && !live.contains { LeaseExpiry.hasExpired($0, bySweepAt: expiry) }
    }
}
