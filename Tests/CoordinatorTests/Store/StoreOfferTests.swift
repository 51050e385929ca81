import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Which tasks are offered parts, and what looking for them costs.
@Suite struct StoreOfferTests {
    private static let versions = RenderVersions(renderer: 1, libraries: [:])

    /// The key of a part, one after the other in their order, as far apart as digests are.
    private func key(_ number: Int) throws -> ContentDigest {
        let hex = String(12 * number, radix: 16)
        let zeros = String(repeating: "0", count: 4 - hex.count)
        return try #require(ContentDigest(text: "sha256:" + zeros + hex + String(repeating: "0", count: 60)))
    }

    private func part(_ key: ContentDigest, of store: PostgresFarmStore) async throws {
        try await store.putPart(
            PartRecord(
                key: key,
                versions: Self.versions,
                kind: .picture,
                artifact: ContentDigest(of: Data("of \(key)".utf8)),
                byteCount: 10,
                unitCount: 1,
                statistics: TaskStatistics(),
                worker: WorkerID(uuid: UUID()),
                workerName: "w",
                made: FarmTime(milliseconds: 1),
                used: FarmTime(milliseconds: 1),
                uses: 0
            )
        )
    }

    /// Stores a job whose segments have the keys of `numbers`, and gives its tasks by key.
    private func job(
        _ numbers: [Int],
        owner: String,
        of store: PostgresFarmStore
    ) async throws -> [ContentDigest: TaskID] {
        var job = SampleJob.job(key: "k", owner: owner, segments: numbers.count, hasSound: false)
        job = job.pinned(to: [:])
        for (index, number) in numbers.enumerated() { job.tasks[index].key = try key(number) }
        let id = try await store.insertJob(job).job.id
        let keys = job.tasks.map(\.key)
        var tasks: [ContentDigest: TaskID] = [:]
        for task in try await store.tasks(of: id) { if let key = keys[task.position] { tasks[key] = task.id } }
        return tasks
    }

    /// One owner's many tasks, which were there before, are not all offered before the other's first.
    @Test func offersGoRoundBetweenOwners() async throws {
        let store = try await StoreDatabase.store()
        let many = try await job([1, 2, 3, 4], owner: "a", of: store)
        let few = try await job([5, 6], owner: "b", of: store)
        for number in 1...6 { try await part(key(number), of: store) }
        let offers = try await store.offers(limit: 5)
        let (first, second) = (many.values.sorted(), few.values.sorted())
        #expect(offers.map(\.task) == [first[0], second[0], first[1], second[1], first[2]])
        let all = many.merging(few) { first, _ in first }
        #expect(offers.allSatisfy { all[$0.part.key] == $0.task })
    }

    /// Of a long queue the tasks around a key are looked at, and looks begin at other keys until each was looked at.
    @Test func thePartsOfALongQueueAreFound() async throws {
        let store = try await StoreDatabase.store()
        let count = 2 * OfferQuery.waitingLimit + 10
        let tasks = try await job(Array(0..<count), owner: "a", of: store)
        let other = try await job([count + 1], owner: "b", of: store)
        #expect(try await store.offers(limit: 3).isEmpty)
        try await part(key(count - 1), of: store)
        let last = try #require(tasks[key(count - 1)])
        #expect(try await store.offers(limit: 3, from: key(0)).isEmpty, "the queue is longer than a look")
        for number in [OfferQuery.waitingLimit + 11, count - 1, count] {
            #expect(try await store.offers(limit: 3, from: key(number)).map(\.task) == [last], "\(number)")
        }
        try await part(key(count + 1), of: store)
        try await part(key(7), of: store)
        var found: Set<TaskID> = []
        while found.count < 3 { found.formUnion(try await store.offers(limit: 9).map(\.task)) }
        #expect(try found == Set([7, count - 1].map { try #require(tasks[key($0)]) } + other.values))
    }

    /// A look at the offers reads no more pages of the database when there are 20,000 parts.
    @Test(arguments: [3, 2100]) func theCostDoesNotGrowWithTheParts(waiting: Int) async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target)
        let tasks = try await job(Array(1...waiting), owner: "a", of: store)
        try await part(key(2), of: store)
        let few = try await pages(store)
        try await store.pool.run { connection in
            let sql = """
                INSERT INTO part SELECT 'sha256:' || md5(n::text) || md5((n + 1)::text), versions, kind, artifact,
                    byte_count, unit_count, statistics, worker, worker_name, made_ms, used_ms, uses
                FROM part, generate_series(1, 20000) AS n
                """
            try connection.query(sql)
        }
        #expect(try await store.parts(limit: 30_000).count == 20_001)
        #expect(try await store.offers(limit: 500, from: key(2)).map(\.task) == [try #require(tasks[key(2)])])
        // An index of 20,000 rows has a level or two more than one of a single row.
        #expect(try await pages(store) <= few + 20 + 3 * waiting, "\(few) before")
    }

    /// A look reads the jobs of the tasks whose key has a part, each by its identifier, and no other job.
    @Test func onlyJobsOfTasksWithAPartAreRead() async throws {
        let store = try await StoreDatabase.store()
        let jobs = try (1...300).map { number in
            var job = SampleJob.job(key: "\(number)", owner: "a", segments: 1, hasSound: false).pinned(to: [:])
            job.tasks[0].key = try key(number)
            return job
        }
        for answer in try await store.insertJobs(jobs) { _ = try answer.get() }
        for number in [7, 9] { try await part(key(number), of: store) }
        #expect(try await store.offers(limit: 9).map(\.part.key) == [try key(7), try key(9)])
        let plan = try await plan(of: store)
        let reads = plan.filter { $0.contains(" on job") }
        #expect(reads.count == 1, "\(plan.joined(separator: "\n"))")
        #expect(reads.allSatisfy { $0.contains("using job_pkey") && $0.contains("loops=2)") }, "\(reads)")
    }

    /// The number of pages that a look at the offers reads.
    private func pages(_ store: PostgresFarmStore) async throws -> Int {
        // The first line of buffers is that of the whole statement.
        let buffers = try #require(try await plan(of: store).first { $0.contains("Buffers: ") })
        return buffers.split(separator: " ").compactMap { word in
            word.firstIndex(of: "=").flatMap { Int(word[word.index(after: $0)...]) }
        }.reduce(0, +)
    }

    /// The lines with which the database says how it looked at the offers.
    private func plan(of store: PostgresFarmStore) async throws -> [String] {
        try await store.pool.run { connection in
            let limited = OfferQuery.sql.replacingOccurrences(of: "$1", with: "500")
                .replacingOccurrences(of: "$2", with: "'sha256:8'")
            _ = try connection.query(limited)
            let lines = try connection.query("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " + limited)
            return try lines.map { try $0.get("QUERY PLAN", as: String.self) }
        }
    }
}
