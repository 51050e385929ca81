package import CompositionModel
package import WireProtocol

/// All that is decided about one task: who holds it, whose result counts, when it is given up. A value without clock,
/// database or randomness; every method is one event and returns what to do.
///
///     queued ──grant──► leased ──complete──► completed
///       ▲ ▲               │ ▲
///       │ └─ fail, release ┘ └─ grant again (expired, or hedged)
///       ├─ reject ── completed
///       └────take a part that is there─────► completed
///       an audited task: leased ──complete──► queued, until two machines have made the same
///       queued, leased ──► failed (permanent, quarantined, exhausted) or cancelled (with its job)
///
/// The attempt is the fencing token: only a live attempt can complete, fail or release the task. An expired lease is
/// still live; it stops being so when the next grant supersedes it.
package struct TaskMachine: Sendable, Hashable {
    /// The task as it was decided so far.
    package internal(set) var task: TaskRecord
    /// The task's attempts, in the order of their grants.
    package internal(set) var attempts: [AttemptRecord]
    private let policy: FarmPolicy

    /// Begins with the task's rows.
    /// - Parameter attempts: all attempts of the task, in the order of their grants.
    package init(task: TaskRecord, attempts: [AttemptRecord], policy: FarmPolicy) {
        self.task = task
        self.attempts = attempts
        self.policy = policy
    }

    /// What makes a task grantable again while it is leased.
    package enum GrantReason: Sendable, Hashable {
        /// Its turn in the queue: queued and due, or every live lease ended at or before `expiry`, the last sweep.
        case turn(expiry: FarmTime)
        /// A second attempt beside a single live one.
        case hedge
    }

    /// Gives the task to `worker`, unless it is not grantable (any more), or this expiry was one too many: then the
    /// task fails. An expired attempt is superseded.
    /// - Returns: a `granted` effect if and only if it was granted.
    package mutating func grant(
        _ attempt: AttemptID,
        to worker: WorkerRecord,
        poll: PollID,
        because reason: GrantReason,
        at now: FarmTime
    ) -> [TaskEffect] {
        guard task.mayBeWitnessed(by: worker), isGrantable(because: reason, to: worker.id, at: now) else { return [] }
        var effects: [TaskEffect] = []
        if case .turn = reason {
            effects = supersedeExpired(at: now)
            if !effects.isEmpty, case .giveUp(let failure) = verdict { return effects + giveUp(failure, at: now) }
        }
        let granted = newAttempt(attempt, worker, poll, now)
        attempts.append(granted)
        return effects + [.granted(granted)] + enter(.leased)
    }

    /// Accepts an artifact that is stored, if the attempt still counts.
    package mutating func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion,
        at now: FarmTime
    ) -> (CompletionOutcome, [TaskEffect]) {
        guard let index = attempts.firstIndex(where: { $0.id == attempt && $0.worker == completion.worker }) else {
            return (.leaseLost, [])
        }
        if task.state == .completed {
            return (task.artifact == completion.artifact ? .alreadyDone : .conflict, [])
        }
        if attempts[index].state == .delivered {
            let isSame = task.claims.contains { $0.attempt == attempt && $0.artifact == completion.artifact }
            return (isSame ? .alreadyDone : .leaseLost, [])
        }
        guard task.state == .leased, attempts[index].state == .live else { return (.leaseLost, []) }
        guard task.isAudited else { return (.accepted, accept(completion, from: index, at: now)) }
        let isConfirmed = task.claims.contains { $0.artifact == completion.artifact }
        guard !isConfirmed else { return (.accepted, confirm(completion, from: index, at: now)) }
        return (task.claims.isEmpty ? .delivered : .differed, claim(completion, from: index, at: now))
    }

    /// Records that a worker could not do the task. The same report again is recorded once.
    package mutating func fail(
        _ attempt: AttemptID,
        _ report: TaskFailure,
        at now: FarmTime
    ) -> (FailureOutcome, [TaskEffect]) {
        guard let index = attempts.firstIndex(where: { $0.id == attempt && $0.worker == report.worker }) else {
            return (.leaseLost, [])
        }
        if attempts[index].state == .failed { return (.recorded, []) }
        guard attempts[index].state == .live else { return (.leaseLost, []) }
        let ended = end(index, as: .failed, because: report.failure, at: now)
        switch verdict {
        case .giveUp(let failure): return (.recorded, [ended] + giveUp(failure, at: now))
        case .retry(let delay): return (.recorded, [ended] + requeue(at: now.adding(milliseconds: delay)))
        }
    }

    /// Hands an attempt back unharmed: nothing is counted. An attempt that `worker` does not hold is passed over.
    package mutating func release(_ attempt: AttemptID, by worker: WorkerID, at now: FarmTime) -> [TaskEffect] {
        guard let index = liveIndex(of: attempt, worker) else { return [] }
        return [end(index, as: .released, because: nil, at: now)] + requeue(at: now)
    }

    /// Completes the task with a part that is there, unless it is no longer queued or has another key. Of an audited task
    /// the part is the first claim, and another machine's confirms it.
    package mutating func take(_ part: PartRecord) -> [TaskEffect] {
        guard task.state == .queued, task.key == part.key, task.kind == part.kind, task.claims.isEmpty else {
            return []
        }
        if task.isAudited {
            let identities = WorkerRecord.identities(name: part.workerName, machine: part.machine)
            task.claims = [
                PartClaim(
                    artifact: part.artifact,
                    attempt: nil,
                    workerName: part.workerName,
                    identities: identities
                )
            ]
            return enter(.queued)
        }
        task.artifact = part.artifact
        task.byteCount = part.byteCount
        task.unitCount = part.unitCount
        task.statistics = part.statistics
        task.isTaken = true
        return enter(.completed)
    }

    /// Takes an accepted artifact back, because its bytes are gone or no use: the task is rendered again, elsewhere while
    /// there is another worker. It is the failure of the attempt that made it; a part that was taken is nobody's here.
    package mutating func reject(
        _ artifact: ContentDigest,
        because failure: Failure,
        at now: FarmTime
    ) -> [TaskEffect] {
        guard task.state == .completed, task.artifact == artifact else { return [] }
        let maker = attempts.firstIndex { $0.state == .completed }
        (task.artifact, task.byteCount, task.unitCount, task.statistics) = (nil, nil, nil, nil)
        task.isTaken = false
        task.claims = []
        guard let index = maker else { return requeue(at: now) }
        _ = end(index, as: .failed, because: failure, at: now)
        let rejected = TaskEffect.rejected(attempts[index])
        switch verdict {
        case .giveUp(let failure): return [rejected] + giveUp(failure, at: now)
        case .retry(let delay): return [rejected] + requeue(at: now.adding(milliseconds: delay))
        }
    }

    /// Hands every live attempt back unharmed, because an earlier stage of the job is open again. What machines claimed
    /// is dropped: they went by what that stage had made, and whoever goes by what it makes now may rightly differ.
    package mutating func withdraw(at now: FarmTime) {
        guard !task.state.isFinal else { return }
        task.claims = []
        guard task.state == .leased else { return }
        _ = endLive(as: .released, at: now)
        _ = requeue(at: now)
    }

    /// Cancels the task, because its job was cancelled or failed elsewhere.
    package mutating func cancel(at now: FarmTime) -> [TaskEffect] {
        guard !task.state.isFinal else { return [] }
        return endLive(as: .cancelled, at: now) + enter(.cancelled)
    }
}

extension TaskMachine {
    private var verdict: RetryPolicy.Verdict { policy.retry.verdict(on: task, attempts: attempts) }

    private var live: [AttemptRecord] { attempts.filter { $0.state == .live } }

    private func liveIndex(of attempt: AttemptID, _ worker: WorkerID) -> Int? {
        attempts.firstIndex { $0.id == attempt && $0.worker == worker && $0.state == .live }
    }

    private func isGrantable(because reason: GrantReason, to worker: WorkerID, at now: FarmTime) -> Bool {
        switch (task.state, reason) {
        case (.queued, .turn): task.notBefore <= now
        case (.leased, .turn(let expiry)): LeaseExpiry.freesTask(heldBy: attempts, sweptAt: expiry)
        case (.leased, .hedge): live.count == 1 && live.allSatisfy { $0.worker != worker }
        default: false
        }
    }

    private func newAttempt(
        _ id: AttemptID,
        _ worker: WorkerRecord,
        _ poll: PollID,
        _ now: FarmTime
    ) -> AttemptRecord {
        let deadline = policy.lease.deadline(costMilliseconds: task.costMilliseconds, at: now)
        var attempt = AttemptRecord(
            id: id,
            task: task.id,
            job: task.job,
            worker: worker.id,
            workerName: worker.name,
            machine: worker.machine,
            poll: poll,
            started: now,
            until: now,
            deadline: deadline
        )
        attempt.until = policy.lease.extended(attempt, at: now)
        return attempt
    }

    mutating func accept(
        _ completion: TaskCompletion,
        from index: Int,
        at now: FarmTime
    ) -> [TaskEffect] {
        attempts[index].permille = 1000
        let ended = end(index, as: .completed, because: nil, at: now)
        task.artifact = completion.artifact
        task.byteCount = completion.byteCount
        task.unitCount = completion.unitCount
        task.statistics = completion.statistics
        task.isTaken = false
        let others = endLive(as: .superseded, at: now)
        return [ended] + others + enter(.completed) + [.made(by: attempts[index])]
            + provenFailures(otherThan: completion.worker)
    }

    /// Workers whose own report said that they could not do what has now been done.
    private func provenFailures(otherThan winner: WorkerID) -> [TaskEffect] {
        let own = attempts.filter { attempt in
            attempt.state == .failed && attempt.worker != winner && task.counts(attempt)
                && !(attempt.failure.map { FarmFailure.provesNothing($0.code) } ?? false)
        }
        return own.map(\.worker).uniqued().map { .provenFailure($0) }
    }

    mutating func giveUp(_ failure: Failure, at now: FarmTime) -> [TaskEffect] {
        task.failure = failure
        return endLive(as: .cancelled, at: now) + enter(.failed)
    }

    /// Queued again, unless another attempt still runs.
    mutating func requeue(at due: FarmTime) -> [TaskEffect] {
        guard live.isEmpty else { return [] }
        task.notBefore = due
        return enter(.queued)
    }

    mutating func enter(_ state: TaskState) -> [TaskEffect] {
        let before = task.state
        task.state = state
        return [.changed(from: before)]
    }

    mutating func end(
        _ index: Int,
        as state: AttemptView.State,
        because failure: Failure?,
        at now: FarmTime
    ) -> TaskEffect {
        attempts[index].state = state
        attempts[index].failure = failure
        attempts[index].ended = now
        return .ended(attempts[index])
    }

    private mutating func endLive(as state: AttemptView.State, at now: FarmTime) -> [TaskEffect] {
        attempts.indices.filter { attempts[$0].state == .live }.map { end($0, as: state, because: nil, at: now) }
    }

    private mutating func supersedeExpired(at now: FarmTime) -> [TaskEffect] {
        attempts.indices.filter { attempts[$0].state == .live }.map { index in
            end(index, as: .superseded, because: FarmFailure.expired(attempts[index]), at: now)
        }
    }
}
