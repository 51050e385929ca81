import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// The database is killed under a working farm.
@Suite struct StoreCrashTests {
    @Test func whatWasAcceptedStaysAccepted() async throws {
        let folder = try TemporaryFolder()
        let configuration = EmbeddedPostgreSQL.Configuration(stateFolder: folder.path("state"))
        let server = EmbeddedPostgreSQL(configuration, logger: quietStoreLogger)
        let store = try await StoreDatabase.open(server.start())
        let supervision = Task { try await server.supervise() }
        let job = try await store.insertJob(SampleJob.job(key: "job", segments: 60)).job.id
        let killing = Task { try await kill(server, times: 4) }
        let accepted = try await work(store, job)
        try await killing.value
        try await compare(accepted, with: store, job)
        supervision.cancel()
        try await supervision.value
        await server.stop()
    }

    /// The write-ahead log is on the disk up to a decision before it is answered.
    @Test func whatWasAcceptedIsOnTheDisk() async throws {
        let folder = try TemporaryFolder()
        let configuration = EmbeddedPostgreSQL.Configuration(stateFolder: folder.path("state"))
        let server = EmbeddedPostgreSQL(configuration, logger: quietStoreLogger)
        let target = try await server.start()
        let store = try await StoreDatabase.open(target)
        let watcher = try await Connection.open(target, logger: quietStoreLogger)
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 20))
        let worker = try await store.register("worker")
        for grant in try await store.acquire(worker, kinds: [.picture], capacity: 20) {
            let before = try await watcher.run { connection in
                let sql = "SELECT pg_current_wal_insert_lsn()::text AS place"
                return try connection.query(sql)[0].get("place", as: String.self)
            }
            #expect(try await store.complete(grant, by: worker) == .accepted)
            let isFlushed = try await watcher.run { connection in
                let sql = "SELECT pg_current_wal_flush_lsn() > $1::text::pg_lsn AS answer"
                return try connection.query(sql, [before])[0].get("answer", as: Bool.self)
            }
            #expect(isFlushed)
        }
        await server.stop()
    }

    private func kill(_ server: EmbeddedPostgreSQL, times: Int) async throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<times {
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...250, using: &generator)))
            guard let process = await server.processID else { continue }
            Foundation.kill(process, SIGKILL)
            while await server.processID == process { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    /// Works like three workers until the job is done; what the store answered is repeated after every doubt.
    private func work(_ store: PostgresFarmStore, _ job: JobID) async throws -> [TaskID: AttemptID] {
        try await withThrowingTaskGroup(of: [TaskID: AttemptID].self) { group in
            for number in 0..<3 {
                group.addTask { try await worker(number, store, job) }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    private func worker(_ number: Int, _ store: PostgresFarmStore, _ job: JobID) async throws -> [TaskID: AttemptID] {
        var accepted: [TaskID: AttemptID] = [:]
        let worker = try await patient { try await store.register("worker \(number)") }
        while try await patient({ try await store.job(job) })?.state != .completed {
            _ = try await patient { try await store.sweep() }
            let poll = PollID(uuid: UUID())
            for grant in try await patient({ try await store.acquire(worker, capacity: 2, poll: poll) }) {
                let outcome = try await patient { try await store.complete(grant, by: worker) }
                if outcome == .accepted || outcome == .alreadyDone { accepted[grant.task] = grant.attempt }
            }
        }
        return accepted
    }

    /// Repeats what the store could not answer, as every client does.
    private func patient<Answer: Sendable>(_ operation: @Sendable () async throws -> Answer) async throws -> Answer {
        for _ in 0..<20 {
            do { return try await operation() } catch FarmStoreError.unavailable {}
        }
        return try await operation()
    }

    private func compare(_ accepted: [TaskID: AttemptID], with store: PostgresFarmStore, _ job: JobID) async throws {
        let tasks = try await store.tasks(of: job)
        #expect(tasks.count == 62)
        for task in tasks {
            let done = task.attempts.filter { $0.state == .completed }
            #expect(done.count == 1)
            #expect(accepted[task.id] == done.first?.id)
            #expect(task.artifact == ContentDigest(of: Data(task.id.description.utf8)))
        }
    }
}
