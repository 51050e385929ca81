import Farm
import Synchronization
import WireProtocol

/// Keeps one lease of a coordinator alive while its work runs, and ends the work when the lease is lost.
final class LeaseRenewal: Sendable {
    /// The lease is lost: the attempt is superseded, cancelled or unknown.
    struct Lost: Error {}

    private let store: any FarmStore
    private let worker: WorkerRegistered
    private let attempt: AttemptID
    private let clock: any Clock<Duration>
    private let permille = Mutex(0)

    init(store: any FarmStore, worker: WorkerRegistered, attempt: AttemptID, clock: any Clock<Duration>) {
        self.store = store
        self.worker = worker
        self.attempt = attempt
        self.clock = clock
    }

    /// Notes the progress to report with the next renewal, 0 … 1000.
    func progress(permille: Int) { self.permille.withLock { $0 = permille } }

    /// Runs `work` while it renews the lease.
    /// - Throws: ``Lost`` as soon as the loss is known; what `work` throws; `CancellationError`.
    func whileHeld<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.renewUntilLost()
                return nil
            }
            defer { group.cancelAll() }
            // The first task to end decides: renewing ends only by throwing.
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    /// Renews the lease once. A database that does not answer takes nothing from anybody.
    /// - Throws: ``Lost``.
    func renew() async throws {
        let progress = AttemptProgress(attempt: attempt, permille: permille.withLock { $0 })
        do throws(FarmStoreError) {
            guard try await store.renew(worker.worker, [progress]).lost.isEmpty else { throw .unknownWorker }
        } catch {
            if error.isUnavailable { return }
            throw Lost()
        }
    }

    private func renewUntilLost() async throws {
        while true {
            try await clock.sleep(for: .milliseconds(worker.heartbeatMilliseconds))
            try await renew()
        }
    }
}
