package import CompositionModel
import Foundation
package import WireProtocol

extension FarmTables {
    /// Renews the leases that workers still hold (``FarmStore/renew(_:waits:)``).
    package mutating func renew(_ beats: [WorkerBeat], at now: FarmTime) -> [BeatOutcome] {
        beats.map { beat in
            (try? renew(beat.worker, beat.attempts, at: now)).map { .renewed($0) } ?? .unknownWorker
        }
    }

    /// Renews the leases that `worker` still holds.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package mutating func renew(
        _ worker: WorkerID,
        _ attempts: [AttemptProgress],
        at now: FarmTime
    ) throws(FarmStoreError) -> HeartbeatReply {
        let index = try present(worker)
        touch(worker, at: now)
        var reply = HeartbeatReply(renewed: [], lost: [], drain: !policy.takesWork(workers[index]))
        for progress in attempts {
            let renewed = attempt(progress.attempt).flatMap { held in
                policy.lease.renewed(held, by: worker, permille: progress.permille, at: now)
            }
            if let renewed { replace(renewed) }
            if renewed == nil { reply.lost.append(progress.attempt) } else { reply.renewed.append(progress.attempt) }
        }
        return reply
    }

    /// Completes the task of an attempt, if the attempt still counts.
    package mutating func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion,
        at now: FarmTime
    ) -> CompletionOutcome {
        touch(completion.worker, at: now)
        guard var decision = decision(on: attempt) else { return .leaseLost }
        let outcome = decision.complete(attempt, completion, awaitsWithdrawal: awaitsWithdrawal, at: now)
        write(decision.changes, at: now)
        return outcome
    }

    /// Records that an attempt failed.
    package mutating func fail(_ attempt: AttemptID, _ failure: TaskFailure, at now: FarmTime) -> FailureOutcome {
        touch(failure.worker, at: now)
        guard var decision = decision(on: attempt) else { return .leaseLost }
        let outcome = decision.fail(attempt, failure, at: now)
        write(decision.changes, at: now)
        return outcome
    }

    /// Takes accepted artifacts back (``FarmStore/reject(_:because:)``).
    package mutating func reject(_ artifacts: [ContentDigest], because failure: Failure, at now: FarmTime) -> [TaskID] {
        var (pending, known) = (Set(artifacts), Set(artifacts))
        var rejected: [TaskID] = []
        while !pending.isEmpty {
            forgetParts(Array(pending))
            let found = reject(pending, because: failure, at: now)
            rejected += found.tasks
            pending = found.later.subtracting(known)
            known.formUnion(pending)
        }
        return rejected.sorted()
    }

    /// Takes artifacts back from the tasks that have them, in ascending order, and then what is wrong with them in later
    /// stages of the same jobs. Last, claims with withdrawn artifacts are dropped, in the order of tasks.
    /// - Returns: the tasks, and the artifacts of later stages.
    private mutating func reject(
        _ artifacts: Set<ContentDigest>,
        because failure: Failure,
        at now: FarmTime
    ) -> (tasks: [TaskID], later: Set<ContentDigest>) {
        var withdrawn = WithdrawnStages()
        let found = tasks.map(\.record).filter { $0.artifact.map(artifacts.contains) ?? false }.map(\.id)
        var rejected = found.sorted().filter { reject($0, because: failure, at: now, &withdrawn) }
        guard FarmFailure.spreads(failure) else { return (rejected, []) }
        var later: Set<ContentDigest> = []
        for task in records(measuredBy: rejected) {
            if let artifact = task.artifact { later.insert(artifact) }
            if reject(task.id, because: failure, at: now, &withdrawn) { rejected.append(task.id) }
        }
        disclaim(artifacts, at: now)
        return (rejected, later)
    }

    private mutating func disclaim(_ artifacts: Set<ContentDigest>, at now: FarmTime) {
        let claimed = tasks.map(\.record).filter { $0.claims.contains { artifacts.contains($0.artifact) } }
        for task in claimed.map(\.id).sorted() {
            guard let index = taskIndex[task], var decision = decision(onTaskAt: index) else { continue }
            decision.disclaim(artifacts, at: now)
            write(decision.changes, at: now)
        }
    }

    private mutating func reject(
        _ task: TaskID,
        because failure: Failure,
        at now: FarmTime,
        _ withdrawn: inout WithdrawnStages
    ) -> Bool {
        guard let index = taskIndex[task], let artifact = tasks[index].record.artifact,
            var decision = decision(onTaskAt: index)
        else { return false }
        decision.reject(artifact, because: failure, at: now)
        write(withdrawn.withoutRepetitions(decision.changes), at: now)
        return !decision.changes.isEmpty
    }

    /// The completed tasks of the same jobs that went by what some tasks measured, ascending.
    private func records(measuredBy tasks: [TaskID]) -> [TaskRecord] {
        let measured = tasks.compactMap { row($0)?.record }.filter { $0.kind == .measure }
        let firsts = Dictionary(measured.map { ($0.job, $0.stage) }, uniquingKeysWith: min)
        return firsts.flatMap { job, stage in
            rows(of: job).map(\.record).filter {
                $0.stage > stage && [.measure, .sound].contains($0.kind) && $0.artifact != nil
            }
        }.sorted { $0.id < $1.id }
    }

    /// Hands leases back, and says goodbye (``FarmStore/release(_:_:)``).
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package mutating func release(
        _ worker: WorkerID,
        _ release: LeaseRelease,
        at now: FarmTime
    ) throws(FarmStoreError) {
        let index = try present(worker)
        touch(worker, at: now)
        if release.leaving { workers[index].hasLeft = true }
        let named = release.attempts
        for attempt in release.leaving ? named + held(by: worker).filter({ !named.contains($0) }) : named {
            guard var decision = decision(on: attempt) else { continue }
            decision.release(attempt, by: worker, at: now)
            write(decision.changes, at: now)
        }
    }

    /// Lets leases expire, or forgives when the farm slept (``FarmStore/sweep()``).
    package mutating func sweep(at now: FarmTime) -> SweepOutcome {
        followJobs(at: now)
        let last = sweptAt
        sweptAt = now
        let live = liveAttempts()
        guard policy.lease.slept(since: last, at: now) else {
            return .advanced(expired: live.count { $0.until <= now && $0.until > last ?? FarmTime(milliseconds: .min) })
        }
        for var attempt in live {
            attempt.until = policy.lease.forgiven(attempt, since: last, at: now)
            replace(attempt)
        }
        return .forgave(live.count)
    }

    /// Live attempts of a worker, by identifier.
    private func held(by worker: WorkerID) -> [AttemptID] {
        liveAttempts().filter { $0.worker == worker }.map(\.id).sorted()
    }

    /// The live attempts in the order of their tasks.
    private func liveAttempts() -> [AttemptRecord] {
        var live: [AttemptRecord] = []
        for place in tasks.indices where !tasks[place].attempts.isEmpty {
            live += tasks[place].attempts.filter { $0.state == .live }
        }
        return live
    }

    func acceptedArtifact(of attempt: AttemptID) -> ContentDigest? {
        attemptIndex[attempt].flatMap { tasks[$0].record.artifact }
    }

    func readings(of id: AttemptID) -> [[ContentDigest]]? {
        guard let index = attemptIndex[id], attempt(id)?.state == .live else { return nil }
        let own = tasks[index].record
        let earlier = rows(of: own.job).map(\.record).filter { task in
            task.kind == .measure && task.stage < own.stage && task.artifact != nil
        }
        return Dictionary(grouping: earlier, by: \.stage).sorted { $0.key < $1.key }
            .map { $0.value.compactMap(\.artifact) }
    }

    /// The row of an attempt; nil for an unknown one.
    package func attempt(_ id: AttemptID) -> AttemptRecord? {
        attemptIndex[id].flatMap { tasks[$0].attempts.first { $0.id == id } }
    }

    func decision(on attempt: AttemptID) -> TaskDecision? { attemptIndex[attempt].flatMap(decision(onTaskAt:)) }

    func decision(onTaskAt index: Int) -> TaskDecision? {
        let task = tasks[index]
        guard let job = jobIndex[task.record.job] else { return nil }
        return TaskDecision(job: jobs[job].record, task: task.record, attempts: task.attempts, policy: policy)
    }
}
