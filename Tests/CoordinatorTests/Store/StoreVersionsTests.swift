import Farm
import Foundation
import PostgreSQL
import Shared
import TestDatabase
import Testing

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
        try await check(ModelFarmStore(identifiers: IdentifierSource(), clock: .system))
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
                try connection.batch(GrantQueue.loading([.picture], for: worker, limit: 16)).map(\.count)
            }
        }
        #expect(loaded == [[0, 0], [16, 0]])
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
