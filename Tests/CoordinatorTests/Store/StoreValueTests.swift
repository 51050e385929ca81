import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Values that PostgreSQL has no place for.
@Suite struct StoreValueTests {
    /// A text parameter ends at NUL on its way to the database.
    @Test func keysThatDifferBehindNULAreNotOne() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(SampleJob.job(key: "k", segments: 1))
        await #expect(throws: FarmStoreError.self) {
            try await store.insertJob(SampleJob.job(key: "k\0x", segments: 1))
        }
    }

    /// Slices of every document are its bytes, whatever they are, and the database need not read the rest for one.
    @Test func documentsAreReadInSlices() async throws {
        let store = try await StoreDatabase.store()
        var generator = SplitMix(seed: 1)
        var new = SampleJob.job(key: "k", segments: 1)
        new.plan = Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        new.composition = Data()
        let job = try await store.insertJob(new).job.id
        for range in [0..<100_000, 0..<1, 0..<0, 7000..<30_000, 99_999..<200_000, 100_000..<100_001] {
            let slice = try await store.slice(of: .plan, of: job, range)
            #expect(slice?.byteCount == 100_000)
            #expect(slice?.bytes == new.plan[range.clamped(to: 0..<100_000)])
        }
        #expect(try await store.slice(of: .composition, of: job, 0..<9) == DocumentSlice(byteCount: 0, bytes: Data()))
        #expect(try await store.slice(of: .plan, of: JobID(uuid: UUID()), 0..<9) == nil)
        let storage = try await store.pool.run { connection in
            let sql = "SELECT attstorage::text AS s FROM pg_attribute WHERE attrelid = 'job_document'::regclass"
            let columns = try connection.query(sql + " AND attname IN ('plan', 'composition')")
            return try columns.map { try $0.get("s", as: String.self) }
        }
        #expect(storage == ["e", "e"])
    }

    /// What the database refuses once it refuses always: a client that is told to ask again asks for ever.
    @Test func aNumberThatDoesNotFitIsNoOutage() async throws {
        let store = try await StoreDatabase.store()
        do {
            _ = try await store.insertJob(SampleJob.job(key: "k", segments: 1, priority: Int(Int32.max) + 1))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == "invalid_request", "\(error)")
        }
        let worker = try await store.register("w")
        let grants = try await store.acquire(worker)
        #expect(grants.isEmpty)
    }

    /// The operation says so, and succeeds once there is room; nothing of it is left behind.
    @Test func aFullDatabaseIsAnAnswerOfItsOwn() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        let administrator = try await Connection.open(target, logger: quietStoreLogger)
        try await administrator.run { connection in
            try connection.execute(
                """
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100';
                END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON task_payload EXECUTE FUNCTION full_disk();
                """
            )
        }
        await #expect(throws: FarmStoreError.full) { try await store.insertJob(SampleJob.job(key: "k", segments: 1)) }
        #expect(try await store.jobs(JobFilter()).isEmpty)
        try await administrator.run { try $0.execute("DROP TRIGGER full_disk ON task_payload") }
        #expect(try await store.insertJob(SampleJob.job(key: "k", segments: 1)).isNew)
    }

    /// JSON columns take no \\u0000.
    @Test func aMessageWithNULIsNoOutage() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(SampleJob.job(key: "k", segments: 1))
        let worker = try await store.register("w")
        let grant = try #require(try await store.acquire(worker).first)
        let failure = Failure(code: "source_unreadable", message: "a\0b", isPermanent: false)
        do {
            _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == "invalid_request", "\(error)")
        }
    }
}
