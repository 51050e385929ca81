import CompositionModel
import WireProtocol

extension FarmTables {
    /// The blocklist by name (``FarmStore/blockedWorkers()``).
    package func blockedWorkers() -> [BlockedWorker] { blocked.values.sorted { $0.name < $1.name } }

    /// Puts a name on the blocklist (``FarmStore/block(_:because:)``).
    package mutating func block(_ name: String, because reason: String, at now: FarmTime) {
        let isFaulty = blocked[name]?.isFaulty ?? false
        blocked[name] = BlockedWorker(name: name, reason: reason, since: now, isFaulty: isFaulty)
        mark(name)
    }

    /// Takes a name off the blocklist (``FarmStore/unblock(_:)``).
    package mutating func unblock(_ name: String) -> Bool {
        let isListed = blocked.removeValue(forKey: name) != nil
        let isProven = workers.contains { $0.name == name && $0.provenFailures >= policy.blocklistAfter }
        for index in workers.indices where workers[index].name == name { workers[index].provenFailures = 0 }
        mark(name)
        return isListed || isProven
    }

    /// Hands back what faulty workers of a name hold and claimed (``FarmStore/disown(_:)``).
    package mutating func disown(_ name: String, at now: FarmTime) {
        for index in tasks.indices where tasks[index].isHeldOrClaimed(by: name) {
            guard var decision = decision(onTaskAt: index) else { continue }
            decision.disown(name, at: now)
            write(decision.changes, at: now)
        }
    }

    /// Notes that what faulty workers of a name made is withdrawn (``FarmStore/noteWithdrawn(_:)``).
    package mutating func noteWithdrawn(_ name: String) { blocked[name]?.isFaulty = false }

    /// Withdraws everything that workers found faulty made, as every coordinator does after a sweep
    /// (``FarmStore/withdrawFaulty()``).
    /// - Returns: the names, with the tasks that are rendered again.
    package mutating func withdrawFaulty(at now: FarmTime) -> [FaultyWithdrawal] {
        blockedWorkers().filter(\.isFaulty).map { worker in
            disown(worker.name, at: now)
            let artifacts = artifacts(madeBy: worker.name)
            let tasks = reject(artifacts, because: FarmFailure.faulty(worker.name), at: now)
            noteWithdrawn(worker.name)
            return FaultyWithdrawal(worker: worker, tasks: tasks)
        }
    }

    /// Whether something that a faulty worker made has still to be withdrawn: nothing is joined until then.
    package var awaitsWithdrawal: Bool { blocked.values.contains(where: \.isFaulty) }

    mutating func convict(_ name: String, because reason: String, at now: FarmTime) {
        blocked[name] = blocked[name] ?? BlockedWorker(name: name, reason: reason, since: now)
        blocked[name]?.isFaulty = true
        mark(name)
    }

    private mutating func mark(_ name: String) {
        for index in workers.indices where workers[index].name == name {
            workers[index].blocked = blocked[name]?.reason
        }
    }
}

extension FarmTables.TaskRow {
    fileprivate func isHeldOrClaimed(by name: String) -> Bool {
        !record.state.isFinal
            && (record.claims.contains { $0.workerName == name }
                || attempts.contains { $0.state == .live && $0.workerName == name })
    }
}
