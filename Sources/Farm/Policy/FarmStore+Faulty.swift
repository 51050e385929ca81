package import WireProtocol

/// What became of a worker that an audit found faulty.
package struct FaultyWithdrawal: Sendable, Hashable {
    /// Its entry of the blocklist, as it was before.
    package var worker: BlockedWorker
    /// The tasks that are rendered again, ascending.
    package var tasks: [TaskID]

    package init(worker: BlockedWorker, tasks: [TaskID]) { (self.worker, self.tasks) = (worker, tasks) }
}

extension FarmStore {
    /// Withdraws everything that workers found faulty made: they hold and claim nothing any more, no part is theirs, and
    /// unfinished jobs render their parts again. Nothing is joined until that is done. A coordinator that dies on the way
    /// leaves it to the next: each step may be repeated.
    /// - Returns: what was withdrawn; mostly nothing.
    package func withdrawFaulty() async throws(FarmStoreError) -> [FaultyWithdrawal] {
        var withdrawn: [FaultyWithdrawal] = []
        for worker in try await blockedWorkers() where worker.isFaulty {
            // First, so that nothing of it is accepted after its parts were listed.
            try await disown(worker)
            let artifacts = try await artifactsToWithdraw(of: worker)
            let tasks = try await reject(artifacts, because: FarmFailure.faulty(worker.name))
            try await noteWithdrawn(worker)
            withdrawn.append(FaultyWithdrawal(worker: worker, tasks: tasks))
        }
        return withdrawn
    }

    /// Takes a name off the blocklist (``unblock(_:)``), once what its workers made is withdrawn if they were found faulty.
    /// - Returns: false when no worker of the name was kept off.
    package func lift(_ name: String) async throws(FarmStoreError) -> Bool {
        _ = try await withdrawFaulty()
        return try await unblock(name)
    }
}
