package import CompositionModel
import WireProtocol

extension FarmTables {
    /// The blocklist by name (``FarmStore/blockedWorkers()``).
    package func blockedWorkers() -> [BlockedWorker] { blocked.values.sorted { $0.name < $1.name } }

    /// Puts a name on the blocklist (``FarmStore/block(_:because:)``).
    package mutating func block(_ name: String, because reason: String, at now: FarmTime) {
        var entry = blocked[name] ?? BlockedWorker(name: name, reason: reason, since: now)
        (entry.reason, entry.since) = (reason, now)
        blocked[name] = entry
        markWorkers()
    }

    /// Takes a name off the blocklist (``FarmStore/unblock(_:)``).
    package mutating func unblock(_ name: String) -> Bool {
        guard blocked[name]?.isFaulty != true else { return false }
        let isListed = blocked.removeValue(forKey: name) != nil
        let isProven = workers.contains { $0.name == name && $0.provenFailures >= policy.blocklistAfter }
        for index in workers.indices where workers[index].name == name { workers[index].provenFailures = 0 }
        markWorkers()
        return isListed || isProven
    }

    /// Hands back what faulty workers hold and claimed (``FarmStore/disown(_:)``).
    package mutating func disown(_ worker: BlockedWorker, at now: FarmTime) {
        let identities = worker.identities
        for index in tasks.indices where tasks[index].isHeldOrClaimed(by: identities) {
            guard var decision = decision(onTaskAt: index) else { continue }
            decision.disown(identities, at: now)
            write(decision.changes, at: now)
        }
    }

    /// What faulty workers made (``FarmStore/artifactsToWithdraw(of:)``).
    package mutating func artifactsToWithdraw(of worker: BlockedWorker) -> [ContentDigest] {
        let found = withdrawing[worker.name, default: []].union(artifacts { worker.keepsOff(name: $0, machine: $1) })
        withdrawing[worker.name] = found
        return found.sorted { $0.description < $1.description }
    }

    /// Notes that what faulty workers made is withdrawn (``FarmStore/noteWithdrawn(_:)``).
    package mutating func noteWithdrawn(_ worker: BlockedWorker) {
        guard let now = blocked[worker.name], now.since == worker.since,
            Set(now.machines).isSubset(of: worker.machines)
        else { return }
        blocked[worker.name]?.isFaulty = false
        withdrawing[worker.name] = nil
    }

    /// Withdraws everything that workers found faulty made, as every coordinator does after a sweep
    /// (``FarmStore/withdrawFaulty()``).
    /// - Returns: the names, with the tasks that are rendered again.
    package mutating func withdrawFaulty(at now: FarmTime) -> [FaultyWithdrawal] {
        blockedWorkers().filter(\.isFaulty).map { worker in
            disown(worker, at: now)
            let artifacts = artifactsToWithdraw(of: worker)
            let tasks = reject(artifacts, because: FarmFailure.faulty(worker.name), at: now)
            noteWithdrawn(worker)
            return FaultyWithdrawal(worker: worker, tasks: tasks)
        }
    }

    /// Whether something that a faulty worker made has still to be withdrawn: nothing is joined until then, and no
    /// movie is accepted.
    package var awaitsWithdrawal: Bool { blocked.values.contains(where: \.isFaulty) }

    mutating func convict(_ name: String, on machine: String? = nil, because reason: String, at now: FarmTime) {
        var entry = blocked[name] ?? BlockedWorker(name: name, reason: reason, since: now)
        entry.isFaulty = true
        entry.machines = Set(entry.machines + (machine.map { [$0] } ?? [])).sorted()
        blocked[name] = entry
        markWorkers()
    }

    /// The reason why a worker is on the blocklist; nil when it is not.
    func reasonToKeepOff(_ worker: WorkerRecord) -> String? {
        BlockedWorker.entry(of: worker.name, on: worker.machine, in: blockedWorkers())?.reason
    }

    private mutating func markWorkers() {
        for index in workers.indices { workers[index].blocked = reasonToKeepOff(workers[index]) }
    }
}

extension FarmTables.TaskRow {
    fileprivate func isHeldOrClaimed(by identities: Set<String>) -> Bool {
        !record.state.isFinal
            && (record.claims.contains { !identities.isDisjoint(with: $0.identities) }
                || attempts.contains { $0.state == .live && !identities.isDisjoint(with: $0.identities) })
    }
}
