import CompositionModel
import Farm
import FarmSimulation
import PostgreSQL
import Synchronization
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// What decides about a row waits, before it reads the row, for whoever holds it: another coordinator, which may be
/// deciding the same.
@Suite struct StoreLockTests {
    /// Whether an operation has come to its end.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// The statement with which `operation` waits while another transaction holds the rows that `lock` locks; nil when
    /// it comes to its end without.
    private func statement(
        waitingFor lock: String,
        in target: ConnectionTarget,
        _ operation: @escaping @Sendable () async throws -> Void
    ) async throws -> String? {
        let holder = try await Connection.open(target, logger: quietStoreLogger)
        let watcher = try await Connection.open(target, logger: quietStoreLogger)
        try await holder.execute("SET idle_in_transaction_session_timeout = 0; BEGIN; \(lock)")
        let end = End()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { end.isReached.store(true, ordering: .releasing) }
                try await operation()
            }
            var waiting: String?
            while waiting == nil, !end.isReached.load(ordering: .acquiring) {
                waiting = try await watcher.run { connection in
                    // The server reads what a backend waits for after its statement: one that was idle a moment ago
                    // shows the statement before.
                    let sql = """
                        SELECT query FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'
                        """
                    return try connection.query(sql).first?.get("query")
                }
            }
            try await holder.execute("COMMIT")
            try await group.waitForAll()
            return waiting
        }
    }

    @Test func twoCoordinatorsDoNotGrantAtOnce() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 2))
        let worker = try await store.register("worker")
        let waiting = try await statement(waitingFor: "SELECT 1 FROM farm FOR UPDATE", in: target) {
            let grants = try await store.acquire(worker)
            #expect(grants.count == 1)
        }
        #expect(waiting?.hasPrefix("SELECT swept_ms FROM farm") == true, "\(waiting ?? "nothing waits")")
    }

    /// A round that read the workers before one of them was convicted has granted before that one's tasks are looked for.
    @Test func whatIsHandedBackWaitsForGrants() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        let worker = BlockedWorker(name: "a", reason: "faulty", since: FarmTime(milliseconds: 0), isFaulty: true)
        let waiting = try await statement(waitingFor: "SELECT 1 FROM farm FOR UPDATE", in: target) {
            try await store.disown(worker)
        }
        #expect(waiting?.hasPrefix("SELECT FROM farm FOR UPDATE") == true, "\(waiting ?? "nothing waits")")
    }

    @Test(arguments: ["job", "task"]) func aCompletionWaitsForItsRows(table: String) async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 2))
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker).first)
        let waiting = try await statement(waitingFor: "SELECT 1 FROM \(table) FOR UPDATE", in: target) {
            let outcome = try await store.complete(grant, by: worker)
            #expect(outcome == .accepted)
        }
        #expect(waiting?.hasPrefix("SELECT * FROM \(table)") == true, "\(waiting ?? "nothing waits")")
    }

    @Test func aCancellationWaitsForItsJob() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        let job = try await store.insertJob(SampleJob.job(key: "job", segments: 2)).job.id
        let waiting = try await statement(waitingFor: "SELECT 1 FROM job FOR UPDATE", in: target) {
            let outcome = try await store.cancel(job)
            #expect(outcome == .cancelled)
        }
        #expect(waiting?.hasPrefix("SELECT * FROM job") == true, "\(waiting ?? "nothing waits")")
    }

    /// Renewals lock leases in the order of their attempts. What removes several at once locks them in that order too
    /// before it removes the first: else each might hold what the other waits for.
    @Test func aCancellationLocksLeasesAsRenewalsDo() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        let job = try await store.insertJob(SampleJob.job(key: "job", segments: 3)).job.id
        let worker = try await store.register("worker")
        #expect(try await store.acquire(worker, capacity: 3).count == 3)
        let last = "SELECT 1 FROM lease ORDER BY attempt DESC LIMIT 1 FOR UPDATE"
        let waiting = try await statement(waitingFor: last, in: target) {
            let outcome = try await store.cancel(job)
            #expect(outcome == .cancelled)
        }
        #expect(waiting?.contains(Self.lock) == true, "\(waiting ?? "")")
    }

    /// A failure that ends its job removes its own lease and those of the job's other tasks.
    @Test func aFailureThatEndsItsJobLocksLeasesAsRenewalsDo() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 3))
        let worker = try await store.register("worker")
        let grants = try await store.acquire(worker, capacity: 3)
        let last = try #require(grants.map(\.attempt).max())
        let failure = Failure(code: "source_unreadable", message: "It cannot be read.", isPermanent: true)
        let first = "SELECT 1 FROM lease ORDER BY attempt LIMIT 1 FOR UPDATE"
        let waiting = try await statement(waitingFor: first, in: target) {
            _ = try await store.fail(last, TaskFailure(worker: worker, failure: failure))
        }
        #expect(waiting?.contains(Self.lock) == true, "\(waiting ?? "")")
    }

    private static let lock = "FROM lease WHERE attempt = ANY($1::uuid[]) OR job = $2 ORDER BY attempt FOR UPDATE"
}
