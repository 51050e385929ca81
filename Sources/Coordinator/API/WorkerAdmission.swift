import Farm
import WireProtocol

/// Whether a worker may work for this farm.
struct WorkerAdmission: Sendable {
    let store: any FarmStore
    let versions: RendererVersions

    /// Checks what a worker says of itself.
    /// - Throws: ``Problem``: 403 `worker_blocked` for one that is kept off; 409 `version_mismatch` for other versions than the
    ///   coordinator's; ``FarmStoreError`` when the database does not answer.
    func check(_ registration: WorkerRegistration) async throws {
        let entries = try await store.blockedWorkers()
        if let blocked = BlockedWorker.entry(of: registration.name, on: registration.machine, in: entries) {
            throw Problem.blocked(blocked, registration.machine)
        }
        try await versions.check(registration)
    }
}

extension Problem {
    fileprivate static func blocked(_ worker: BlockedWorker, _ machine: String?) -> Problem {
        let isMachine = machine.map(worker.machines.contains) ?? false
        let others = isMachine ? ", and all others on the machine “\((machine ?? "").visible)”," : ""
        return Problem(
            status: 403,
            code: "worker_blocked",
            title: "The worker is blocked",
            detail:
                "Workers “\(worker.name.visible)”\(others) get no work: \(worker.reason.visible) Who administers the farm lifts "
                + "that with cutfarm unblock \(worker.name.visible)."
        )
    }
}
