import CompositionModel
import WireProtocol

/// What becomes of an audited task: it is rendered by one machine after the other until two have made the same.
///
///     a: x            b: x                      a: x            b: y            c: x
///     ─delivered──────accepted                  ─delivered──────differed────────accepted, b is faulty
extension TaskMachine {
    /// Notes what a machine made that no other has made so far. Another live attempt goes on, if it is another machine's.
    mutating func claim(_ completion: TaskCompletion, from index: Int, at now: FarmTime) -> [TaskEffect] {
        let maker = attempts[index]
        attempts[index].permille = 1000
        let ended = end(index, as: .delivered, because: nil, at: now)
        let isFirstDifference = task.claims.count == 1
        task.claims.append(
            PartClaim(
                artifact: completion.artifact,
                attempt: maker.id,
                workerName: maker.workerName,
                identities: maker.identities
            )
        )
        var effects = [ended] + (isFirstDifference ? [TaskEffect.differed] : [])
        if task.claims.count >= AuditPolicy.mostClaims {
            return effects + giveUp(FarmFailure.undecided(task), at: now)
        }
        for other in attempts.indices where attempts[other].state == .live {
            guard !Set(attempts[other].identities).isDisjoint(with: maker.identities) else { continue }
            effects.append(end(other, as: .superseded, because: nil, at: now))
        }
        if attempts.contains(where: { $0.state == .live }) { return effects + enter(.leased) }
        return effects + requeue(at: now)
    }

    /// Accepts what a second machine has made alike. The machines that made something else are faulty.
    mutating func confirm(_ completion: TaskCompletion, from index: Int, at now: FarmTime) -> [TaskEffect] {
        let outvoted = task.claims.filter { $0.artifact != completion.artifact }
        let agreeing = task.claims.filter { $0.artifact == completion.artifact }.map(\.workerName)
        let failure = FarmFailure.outvoted(task, by: agreeing + [attempts[index].workerName])
        task.claims = []
        var effects = accept(completion, from: index, at: now)
        for claim in outvoted {
            if let place = attempts.firstIndex(where: { $0.id == claim.attempt }) {
                _ = end(place, as: .failed, because: failure, at: now)
                effects.append(.rejected(attempts[place]))
            }
            effects.append(.convicted(claim.workerName, machine: claim.machine, failure))
        }
        return effects
    }

    /// Frees the task of workers whose machine is faulty (``TaskDecision/disown(_:at:)``).
    mutating func disown(_ identities: Set<String>, at now: FarmTime) -> [TaskEffect] {
        guard !task.state.isFinal else { return [] }
        let count = task.claims.count
        task.claims.removeAll { !identities.isDisjoint(with: $0.identities) }
        let held = attempts.indices.filter {
            attempts[$0].state == .live && !identities.isDisjoint(with: attempts[$0].identities)
        }
        guard task.claims.count != count || !held.isEmpty else { return [] }
        let ended = held.map { end($0, as: .released, because: nil, at: now) }
        return ended + (attempts.contains { $0.state == .live } || held.isEmpty ? enter(task.state) : requeue(at: now))
    }

    /// Refuses a movie that was joined before all is withdrawn that faulty machines made: it may have their parts. The
    /// attempt is handed back unharmed, and nobody joins the parts again until that is done.
    mutating func refuseMovie(
        of attempt: AttemptID,
        _ completion: TaskCompletion,
        at now: FarmTime
    ) -> (CompletionOutcome, [TaskEffect]) {
        // The movie was accepted before, and the answer was lost.
        if task.state == .completed { return complete(attempt, completion, at: now) }
        return (.leaseLost, release(attempt, by: completion.worker, at: now))
    }

    /// Drops what machines claimed with artifacts that are withdrawn (``TaskDecision/disclaim(_:at:)``). A live attempt
    /// goes on.
    mutating func disclaim(_ artifacts: Set<ContentDigest>) -> [TaskEffect] {
        guard !task.state.isFinal else { return [] }
        let count = task.claims.count
        task.claims.removeAll { artifacts.contains($0.artifact) }
        return task.claims.count == count ? [] : enter(task.state)
    }
}

extension AttemptRecord {
    /// What tells the machine of its worker from others.
    var identities: [String] { WorkerRecord.identities(name: workerName, machine: machine) }
}
