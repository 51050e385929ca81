package import WireProtocol

extension FarmTables {
    /// Leases that end at or before it have expired: the last sweep.
    private var expiry: FarmTime { sweptAt ?? FarmTime(milliseconds: .min) }

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
        let candidates = candidates(at: now).filter { worker.has($0.versions) }
        let eligible = workers.filter { policy.isEligible($0, at: now) }
        let choice = GrantPolicy.choose(candidates, for: poll, of: worker, workers: eligible, turns: turns)
        if !choice.picks.isEmpty {
            let expiry = expiry
            turns = choice.turns
            return choice.picks.compactMap { grant($0.task, poll, worker, because: .turn(expiry: expiry), at: now) }
        }
        guard !candidates.contains(where: { poll.kinds.contains($0.kind) }),
            let straggler = policy.hedge.choose(stragglers(), for: poll, of: worker, at: now)
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

    private func candidates(at now: FarmTime) -> [GrantCandidate] {
        openTasks { $0.isGrantable(at: now, expiry: expiry) }
            .map { candidate($0) }.sorted(by: GrantCandidate.precedes)
    }

    private func stragglers() -> [HedgeCandidate] {
        openTasks { $0.isHedgeable(expiry: expiry) }.compactMap { row in
            row.attempts.first { $0.state == .live }.map { live in
                HedgeCandidate(
                    candidate: candidate(row),
                    started: live.started,
                    worker: live.worker,
                    siblingMilliseconds: siblings(of: row.record)
                )
            }
        }.sorted { GrantCandidate.precedes($0.candidate, $1.candidate) }
    }

    private func openTasks(where matches: (TaskRow) -> Bool) -> [TaskRow] {
        jobs.filter { $0.record.openStage != nil }.flatMap { job in
            tasks[job.tasks].filter { $0.record.isOpen(in: job.record) && matches($0) }
        }
    }

    /// The kinds of the job's open tasks that no worker holds.
    func waitingKinds(of job: JobRow) -> Set<TaskKind> {
        let waiting = tasks[job.tasks].filter { $0.record.isOpen(in: job.record) && $0.isWaiting(expiry: expiry) }
        return Set(waiting.map(\.record.kind))
    }

    private func candidate(_ row: TaskRow) -> GrantCandidate {
        let failed = row.attempts.filter { $0.hasFailed || LeaseExpiry.hasExpired($0, bySweepAt: expiry) }
        return GrantCandidate(
            task: row.record.id,
            job: row.record.job,
            owner: jobIndex[row.record.job].map { jobs[$0].record.owner } ?? "",
            kind: row.record.kind,
            position: row.record.position,
            priority: jobIndex[row.record.job].map { jobs[$0].record.priority } ?? 0,
            stage: row.record.stage,
            costMilliseconds: row.record.costMilliseconds,
            failedWorkers: failed.map(\.worker).uniqued(),
            versions: row.payload.versions
        )
    }

    private func siblings(of task: TaskRecord) -> [Int64] {
        rows(of: task.job).filter { $0.record.kind == task.kind }.flatMap(\.attempts).compactMap { attempt in
            guard attempt.state == .completed else { return nil }
            return attempt.ended?.milliseconds(since: attempt.started)
        }.sorted()
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
