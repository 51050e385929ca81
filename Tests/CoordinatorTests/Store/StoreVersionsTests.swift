import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// A farm of two versions: what a job was planned with is all that may render it.
@Suite struct StoreVersionsTests {
    private let old = ["libx264": "164", "libavcodec": "59.37.100"]
    private let fresh = ["libx264": "164", "libavcodec": "60.3.100"]
    private let oldWords = "renderer 1, libavcodec 59.37.100, libx264 164"

    private func register(
        _ store: some FarmStore,
        _ libraries: [String: String],
        kinds: [TaskKind] = TaskKind.allCases
    ) async throws -> WorkerID {
        let registration = WorkerRegistration(
            name: "worker",
            kinds: kinds,
            slots: 1,
            rendererVersion: 1,
            libraries: libraries
        )
        return try await store.registerWorker(registration).worker
    }

    private func check(_ store: some ClockedFarmStore) async throws {
        var now = FarmTime(milliseconds: 1_700_000_000_000)
        func pass(_ milliseconds: Int64) async throws {
            now = now.adding(milliseconds: milliseconds)
            try await store.setClock(now)
            _ = try await store.sweep()
        }
        try await pass(0)
        let pinned = SampleJob.job(key: "job", segments: 2, hasSound: false).pinned(to: old)
        let job = try await store.insertJob(pinned).job.id
        func awaited() async throws -> String? {
            let listed = try await store.jobs(JobFilter()).first?.awaitedVersions
            let alone = try await store.job(job)?.awaitedVersions
            #expect(listed == alone)
            return alone
        }
        #expect(try await awaited() == oldWords)
        let wrong = try await register(store, fresh)
        #expect(try await store.acquire(wrong).isEmpty)
        #expect(try await awaited() == oldWords)
        let right = try await register(store, old, kinds: [.picture])
        #expect(try await awaited() == nil)
        // Both in one round, whoever asks first.
        let polls = [wrong, right].map { worker in
            LeasePoll(
                worker: worker,
                poll: PollID(uuid: UUID()),
                kinds: TaskKind.allCases,
                capacity: 1,
                waitMilliseconds: 0
            )
        }
        let outcomes = try await store.acquireLeases(polls)
        #expect(outcomes[0] == .granted([]))
        guard case .granted(let grants) = outcomes[1], grants.count == 1 else {
            Issue.record("\(outcomes[1])")
            return
        }
        // Gone for good: its lease ends, and nobody else spends a try.
        for _ in 0..<14 { try await pass(1000) }
        #expect(try await store.acquire(wrong, capacity: 4).isEmpty)
        #expect(try await awaited() == oldWords)
        let next = try await register(store, old, kinds: [.picture])
        #expect(try await awaited() == nil)
        for grant in try await store.acquire(next, capacity: 4) { _ = try await store.complete(grant, by: next) }
        // The new one cannot join it either.
        #expect(try await store.job(job)?.tasks.completed == 2)
        #expect(try await store.acquire(wrong, kinds: [.stitch]).isEmpty)
        #expect(try await awaited() == oldWords)
        let joiner = try await register(store, old, kinds: [.stitch])
        #expect(try await awaited() == nil)
        let stitch = try #require(try await store.acquire(joiner, kinds: [.stitch]).first)
        try await store.drain(joiner)
        #expect(try await awaited() == nil, "it is in somebody's hand")
        #expect(try await store.complete(stitch, by: joiner) == .accepted)
        #expect(try await store.job(job)?.state == .completed)
        #expect(try await awaited() == nil)
    }

    @Test func theModelKeepsVersionsApart() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKeepsVersionsApart() async throws { try await check(StoreDatabase.store()) }

    /// The farm's row is held meanwhile: who has other versions must not read the queue from end to end.
    @Test func anIdlePollOfOtherVersionsReadsNothing() async throws {
        let store = try await StoreDatabase.store()
        for number in 0..<4 {
            _ = try await store.insertJob(SampleJob.job(key: "\(number)", segments: 100).pinned(to: old))
        }
        let wrong = try await register(store, fresh)
        let right = try await register(store, old)
        let loaded = try await store.transact { connection, _ in
            try [wrong, right].map { worker in
                try connection.batch(GrantQueue.loading([.picture], for: worker, limit: 16, policy: FarmPolicy())).map(
                    \.count
                )
            }
        }
        #expect(loaded == [[0, 0], [16, 0]])
    }

    /// As a coordinator of earlier versions stores a job: without naming its versions, nor the owner of its tasks.
    private func insertAsBefore(_ store: PostgresFarmStore, _ job: NewJob) async throws {
        let record = JobRecord(job, id: JobID(uuid: UUID()), created: FarmTime(milliseconds: 0))
        try await store.transact { connection, now in
            var writer = ChangeWriter(at: now)
            writer.add([try record.insertion(nil, OwnerLoad())])
            let columns = TaskRecord.columns.replacing(", owner)", with: ")")
            let places = (1...18).map { "$\($0)" }.joined(separator: ", ")
            for task in job.tasks {
                let row = TaskRecord(task, id: TaskID(uuid: UUID()), job: record.id, created: record.created)
                writer.add([
                    Statement("INSERT INTO \(columns) VALUES (\(places))", Array(row.row(in: record).dropLast())),
                    Statement(
                        "INSERT INTO task_payload (task, payload) VALUES ($1, $2)",
                        [row.id.uuid, try JSONColumn.text(task.payload)]
                    ),
                ])
            }
            try writer.finish(connection)
        }
    }

    private func versions(_ connection: isolated Connection) throws -> [String?] {
        try connection.query("SELECT versions FROM job ORDER BY title").map {
            try $0.optional("versions", as: String.self)
        }
    }

    @Test func aJobOfTheCoordinatorBeforeTakesItsTasksVersions() async throws {
        let store = try await StoreDatabase.store()
        try await insertAsBefore(store, SampleJob.job(key: "a", segments: 3).pinned(to: old))
        try await insertAsBefore(store, SampleJob.job(key: "b", segments: 1))
        let wrong = try await register(store, fresh)
        let grants = try await store.acquire(wrong, capacity: 9)
        #expect(grants.count == 2, "only those of b, which names none")
        #expect(try await store.transact { connection, _ in try versions(connection) } == [oldWords, nil])
    }

    /// A database of schema 4 with work in it.
    @Test func storedJobsTakeTheirTasksVersions() async throws {
        let target = try await StoreDatabase.make()
        let first = try await StoreDatabase.open(target)
        _ = try await first.insertJob(SampleJob.job(key: "a", segments: 2).pinned(to: old))
        _ = try await first.insertJob(SampleJob.job(key: "b", segments: 2))
        let done = try await first.insertJob(SampleJob.job(key: "c", segments: 1).pinned(to: fresh)).job.id
        _ = try await first.cancel(done)
        let before = try await first.transact { connection, _ in try versions(connection) }
        try await first.transact { connection, _ in
            try connection.execute(
                """
                DROP TRIGGER job_versions ON job;
                DROP TRIGGER event_webhooks ON event;
                DROP TRIGGER event_traces ON event;
                DROP FUNCTION queue_webhooks(), end_trace();
                DROP TABLE stored_object, unwanted_object, artifact_place, job_assets, bucket_upload, unwanted_upload, prober;
                DROP TABLE source, token_log, token_secret, token, webhook_delivery, job_webhook, webhook, job_trace;
                ALTER TABLE job DROP COLUMN output_removed_ms;
                ALTER TABLE asset DROP COLUMN used_ms;
                DROP INDEX job_by_end;
                DROP FUNCTION take_versions(), task_versions(uuid);
                DROP TABLE part, attempt_log;
                ALTER TABLE job DROP COLUMN pruned_tasks, DROP COLUMN pruned_permille, DROP COLUMN is_paused,
                    DROP COLUMN deadline_ms, DROP COLUMN is_late_told, DROP COLUMN after_jobs, DROP COLUMN awaited_jobs, DROP COLUMN hours, DROP COLUMN is_outside_window, DROP COLUMN window_change_ms,
                    DROP COLUMN target, DROP COLUMN replaces_target, DROP COLUMN delivered_ms, DROP COLUMN delivery_problem,
                    DROP COLUMN delivery_due_ms, DROP COLUMN audit,
                    DROP COLUMN requirements;
                DROP TABLE blocked_worker;
                ALTER TABLE worker DROP COLUMN machine, DROP COLUMN tags, DROP COLUMN memory_bytes,
                    DROP COLUMN completed_attempts, DROP COLUMN failed_attempts;
                ALTER TABLE attempt DROP COLUMN machine;
                ALTER TABLE task DROP COLUMN is_audited, DROP COLUMN claims, DROP COLUMN witnesses;
                ALTER TABLE task DROP COLUMN is_taken, DROP COLUMN counted_from_ms;
                CREATE INDEX task_progress ON task (job);
                DROP INDEX task_waiting_for_part, task_making_part, task_accepted, attempt_by_end, attempt_by_worker_end;
                ALTER TABLE job DROP COLUMN versions, DROP COLUMN copying, DROP COLUMN submission,
                    DROP COLUMN task_count, DROP COLUMN document_bytes;
                ALTER TABLE task DROP COLUMN is_independent, DROP COLUMN copied_count, DROP COLUMN owner;
                DROP TABLE ended_session, owner;
                CREATE INDEX task_queue ON task (kind);
                ALTER TABLE worker DROP COLUMN versions;
                DROP FUNCTION render_versions(integer, jsonb);
                DELETE FROM schema_migration WHERE number >= 5;
                """
            )
        }
        let store = try await StoreDatabase.open(target)
        let after = try await store.transact { connection, _ in try versions(connection) }
        #expect(before == [oldWords, nil, RenderVersions(renderer: 1, libraries: fresh).text])
        #expect(after == [oldWords, nil, nil], "what is final needs none")
    }

    /// Versions are one word here and in SQL.
    @Test(arguments: [[:], ["libavcodec": "59"], ["b": "2", "a": "1", "Z": "0", "libx264": "164 r3095"]])
    func wordsAreTheSameInTheDatabase(libraries: [String: String]) async throws {
        let store = try await StoreDatabase.store()
        _ = try await register(store, libraries)
        let words: String = try await store.transact { connection, _ in
            try connection.query("SELECT versions FROM worker")[0].get("versions")
        }
        #expect(words == RenderVersions(renderer: 1, libraries: libraries).text)
    }
}
