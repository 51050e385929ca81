import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Which movies and assets go, and that nothing goes that anybody needs.
@Suite struct StoreRetentionTests {
    private static let day: Int64 = 86_400_000

    private func time(_ days: Int64) -> FarmTime { FarmTime(milliseconds: days * Self.day) }

    private func digest(_ text: String) -> ContentDigest { ContentDigest(of: Data(text.utf8)) }

    /// Completes a job whose movie has the digest and length of `movie`.
    private func completed(_ store: PostgresFarmStore, movie: String, bytes: Int64) async throws -> JobID {
        var order = SampleJob.job(key: UUID().uuidString, segments: 1)
        order.tasks = Array(order.tasks.suffix(1))
        order.tasks[0].stage = 0
        let job = try await store.insertJob(order).job.id
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker, capacity: 1).first { $0.job == job })
        let done = TaskCompletion(
            worker: worker,
            artifact: digest(movie),
            byteCount: bytes,
            unitCount: 1,
            statistics: TaskStatistics()
        )
        #expect(try await store.complete(grant.attempt, done) == .accepted)
        #expect(try await store.job(job)?.state == .completed)
        return job
    }

    private func put(_ store: PostgresFarmStore, _ name: String, bytes: Int64, path: String? = nil) async throws {
        let record = AssetRecord(
            digest: digest(name),
            byteCount: bytes,
            blocks: [],
            facts: nil,
            frameIndexes: [0: digest(name + " index")]
        )
        try await store.putAsset(StoredAsset(record: record, path: path))
    }

    /// A movie that waits for room in its output folder is the only one there is.
    @Test func aMovieThatIsNotDeliveredStays() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(time(1))
        let job = try await completed(store, movie: "old", bytes: 10)
        func target(_ delivered: String) async throws {
            try await store.transact { connection, _ in
                try connection.execute("UPDATE job SET target = 'exports/a.mp4', delivered_ms = \(delivered)")
            }
        }
        try await target("NULL")
        store.setClock(time(11))
        let kept = KeptAmount(seconds: 86_400)
        #expect(try await store.removeMovies(beyond: kept, isDryRun: false, limit: 10).isEmpty)
        try await target("1")
        #expect(try await store.removeMovies(beyond: kept, isDryRun: false, limit: 10).map(\.job) == [job])
    }

    @Test func moviesGoByAge() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(time(1))
        let old = try await completed(store, movie: "old", bytes: 10)
        store.setClock(time(5))
        let young = try await completed(store, movie: "young", bytes: 10)
        store.setClock(time(11))
        let kept = KeptAmount(seconds: 9 * 86_400)
        let dry = try await store.removeMovies(beyond: kept, isDryRun: true, limit: 10)
        #expect(dry.map(\.job) == [old] && dry[0].byteCount == 10 && dry[0].artifact == digest("old"))
        #expect(try await store.unreferenced([digest("old")]).isEmpty, "it was a dry run")
        #expect(try await store.removeMovies(beyond: kept, isDryRun: false, limit: 10) == dry)
        #expect(try await store.removeMovies(beyond: kept, isDryRun: false, limit: 10).isEmpty)
        #expect(try await store.unreferenced([digest("old"), digest("young")]) == [digest("old")])
        let views = (try await store.job(old), try await store.job(young))
        #expect(
            views.0?.outputRemoved == time(11).date && views.0?.state == .completed && views.1?.outputRemoved == nil
        )
    }

    /// The oldest go; a movie of two jobs has its bytes once, and stays while one of them has it.
    @Test func moviesGoBySize() async throws {
        let store = try await StoreDatabase.store()
        var jobs: [JobID] = []
        for (number, movie) in ["a", "b", "c", "b"].enumerated() {
            store.setClock(time(Int64(number) + 1))
            jobs.append(try await completed(store, movie: movie, bytes: 100))
        }
        func remove(_ bytes: Int64) async throws -> [JobID] {
            try await store.removeMovies(beyond: KeptAmount(bytes: bytes), isDryRun: false, limit: 10).map(\.job)
        }
        #expect(try await remove(300).isEmpty)
        #expect(try await remove(299) == [jobs[0]])
        #expect(try await remove(199) == [jobs[1], jobs[2]])
        #expect(try await store.unreferenced([digest("b"), digest("c")]) == [digest("c")])
        #expect(try await remove(0) == [jobs[3]])
        #expect(try await store.unreferenced([digest("b")]) == [digest("b")])
    }

    @Test func unusedAssetsGoByAgeAndBySize() async throws {
        let store = try await StoreDatabase.store()
        for (number, name) in ["a", "b", "c"].enumerated() {
            store.setClock(time(Int64(number) + 1))
            try await put(store, name, bytes: 100)
        }
        store.setClock(time(3).adding(milliseconds: 1))
        try await put(store, "at a path", bytes: 1 << 40, path: "/footage/a.mp4")
        store.setClock(time(11))
        func found(_ kept: KeptAmount) async throws -> [ContentDigest] {
            try await store.removeAssets(beyond: kept, isDryRun: true, limit: 10).assets.map(\.digest)
        }
        #expect(try await found(KeptAmount(seconds: 9 * 86_400)) == [digest("a")])
        #expect(try await found(KeptAmount(bytes: 200)) == [digest("a")])
        #expect(try await found(KeptAmount(bytes: 199)) == [digest("a"), digest("b")])
        // Whoever asks for one uses it, which is noted.
        #expect(try await store.asset(digest("a")) != nil)
        #expect(try await found(KeptAmount(seconds: 9 * 86_400)).isEmpty)
        #expect(try await found(KeptAmount(bytes: 0)) == [digest("b"), digest("c")], "one was used within the hour")
        let gone = try await store.removeAssets(beyond: KeptAmount(bytes: 0), isDryRun: false, limit: 10)
        #expect(Set(gone.digests) == Set(["b", "b index", "c", "c index"].map(digest)))
        #expect(try await store.asset(digest("b")) == nil)
        #expect(try await store.asset(digest("a")) != nil)
        #expect(try await store.asset(digest("at a path")) != nil)
    }

    /// The migration finds for old jobs what is stored with new ones.
    @Test func theAssetsOfOldJobsAreFound() async throws {
        let store = try await StoreDatabase.store()
        var order = SampleJob.job(key: "old", segments: 1)
        let names = [digest("a"), digest("b")].map(\.description).sorted()
        order.composition = Data("[\(names[0]) \(names[1]) sha256:12 \(names[0])]".utf8) + Data([0xff])
        order.plan = Data("{}".utf8)
        _ = try await store.insertJob(order)
        func kept() async throws -> [[String]] {
            try await store.transact { connection, _ in
                try connection.query("SELECT digests FROM job_assets").map {
                    try $0.get("digests", as: [String].self).sorted()
                }
            }
        }
        #expect(try await kept() == [names])
        let migration = try #require(FarmSchema.migrations.first { $0.name == "job_assets" })
        try await store.transact { connection, _ in
            try connection.execute("DROP TABLE job_assets")
            try connection.execute(migration.sql)
        }
        #expect(try await kept() == [names])
    }

    /// Also what only a document names, whatever the job waits for.
    @Test func whatAnUnfinishedJobNeedsStays() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(time(1))
        for name in ["in the composition", "in the plan", "of an ended job", "nobody's"] {
            try await put(store, name, bytes: 100)
        }
        func job(_ composition: String, _ plan: String) async throws -> JobID {
            var order = SampleJob.job(key: UUID().uuidString, segments: 1)
            order.composition = Data(composition.utf8) + Data([0xff, 0x5c])
            order.plan = Data(plan.utf8)
            return try await store.insertJob(order).job.id
        }
        let waiting = try await job(
            "{\"assets\":[\"\(digest("in the composition"))\"]}",
            "[\"\(digest("in the plan"))\"]"
        )
        let ended = try await job("\(digest("of an ended job"))", "{}")
        _ = try await store.cancel(ended)
        store.setClock(time(1000))
        let gone = try await store.removeAssets(beyond: KeptAmount(bytes: 0), isDryRun: false, limit: 10)
        #expect(Set(gone.assets.map(\.digest)) == [digest("of an ended job"), digest("nobody's")])
        // What names the assets is beside the documents; those of a coordinator of the version before are searched.
        try await store.transact { connection, _ in
            try connection.execute(
                "CREATE TABLE kept AS TABLE job_document; UPDATE job_document SET composition = '', plan = ''"
            )
        }
        #expect(try await store.removeAssets(beyond: KeptAmount(bytes: 0), isDryRun: true, limit: 10).assets.isEmpty)
        try await store.transact { connection, _ in
            try connection.execute(
                """
                UPDATE job_document SET composition = kept.composition, plan = kept.plan FROM kept
                WHERE kept.job = job_document.job;
                DELETE FROM job_assets
                """
            )
        }
        #expect(try await store.removeAssets(beyond: KeptAmount(bytes: 0), isDryRun: true, limit: 10).assets.isEmpty)
        _ = try await store.cancel(waiting)
        let rest = try await store.removeAssets(beyond: KeptAmount(seconds: 0), isDryRun: false, limit: 10)
        #expect(Set(rest.assets.map(\.digest)) == [digest("in the composition"), digest("in the plan")])
    }

    /// A chain whose first job failed goes on when that one is retried, and never once that one was cancelled.
    @Test func whatAChainNeedsThatMayGoOnStays() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(time(1))
        for name in ["first", "second", "third", "of a lost chain", "its end"] {
            try await put(store, name, bytes: 100)
        }
        func job(_ name: String, after earlier: JobID? = nil) async throws -> JobID {
            var order = SampleJob.job(key: name, segments: 1, hasSound: false)
            order.composition = Data("\(digest(name))".utf8)
            order.plan = Data("{}".utf8)
            order.afterJobs = earlier.map { [$0] } ?? []
            return try await store.insertJob(order).job.id
        }
        let first = try await job("first")
        let second = try await job("second", after: first)
        let third = try await job("third", after: second)
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker).first { $0.job == first })
        let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
        _ = try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        let cancelled = try await job("cancelled")
        let lost = try await job("of a lost chain", after: cancelled)
        let end = try await job("its end", after: lost)
        _ = try await store.cancel(cancelled)
        for _ in 0..<2 { _ = try await store.sweep() }
        for one in [second, third, lost, end] {
            #expect(try await store.job(one)?.failure?.code == FarmFailure.earlierJobFailed)
        }
        store.setClock(time(30))
        func goes() async throws -> Set<ContentDigest> {
            let found = try await store.removeAssets(beyond: KeptAmount(bytes: 0), isDryRun: true, limit: 10)
            return Set(found.assets.map(\.digest))
        }
        // The first job failed by itself: whoever retries it so late sends its edit again.
        #expect(try await goes() == Set(["first", "of a lost chain", "its end"].map(digest)))
        // Those of a coordinator of the version before are searched for.
        try await store.transact { connection, _ in try connection.execute("DELETE FROM job_assets") }
        #expect(try await goes() == Set(["first", "of a lost chain", "its end"].map(digest)))
        // Without its tasks the first one is never retried, and the others wait in vain.
        func prune(_ tasks: String) async throws {
            try await store.transact { connection, _ in
                try connection.execute("UPDATE job SET pruned_tasks = \(tasks) WHERE id = '\(first.uuid)'")
            }
        }
        try await prune("'{}'")
        #expect(try await goes().count == 5)
        try await prune("NULL")
        // Nobody retried it for a month.
        store.setClock(time(32))
        #expect(try await goes().count == 5)
        #expect(try await store.control(first, .retry) == .done)
        for _ in 0..<2 { _ = try await store.sweep() }
        #expect(try await store.job(third)?.state == .queued)
        #expect(try await goes() == Set(["of a lost chain", "its end"].map(digest)))
    }
}
