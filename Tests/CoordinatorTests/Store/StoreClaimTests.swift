import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// What becomes of claims and of movies when a machine is found faulty, in both stores: no sound machine is convicted
/// with it, and no movie is accepted that may have its parts.
@Suite struct StoreClaimTests {
    typealias Kind = StoreWithdrawalTests.Kind

    /// A worker with a faulty machine, and three others.
    private struct Crew {
        let faulty, a, b, c: WorkerID
    }

    private static let start = FarmTime(milliseconds: 1_700_000_000_000)

    private func open(_ kind: Kind) async throws -> (any ClockedFarmStore, Crew) {
        let store: any ClockedFarmStore
        switch kind {
        case .memory: store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .standing(at: Self.start))
        case .postgres: store = try await StoreDatabase.store()
        }
        try await store.setClock(Self.start)
        let crew = Crew(
            faulty: try await store.register("faulty"),
            a: try await store.register("a"),
            b: try await store.register("b"),
            c: try await store.register("c")
        )
        return (store, crew)
    }

    private func completion(_ what: String, _ grant: LeaseGrant, _ worker: WorkerID) -> AttemptCompletion {
        AttemptCompletion(
            grant.attempt,
            TaskCompletion(
                worker: worker,
                artifact: ContentDigest(of: Data("\(what) \(grant.task)".utf8)),
                byteCount: 1,
                unitCount: 1,
                statistics: TaskStatistics()
            )
        )
    }

    /// Has a worker do what it can get of a kind.
    /// - Parameter what: tells its bytes from others of the same task.
    private func work(
        _ store: any FarmStore,
        _ worker: WorkerID,
        on kind: TaskKind,
        making what: String = "right"
    ) async throws -> [CompletionOutcome] {
        let grants = try await store.acquire(worker, kinds: [kind], capacity: 9)
        return try await store.completeAll(grants.map { completion(what, $0, worker) })
    }

    /// Has the faulty worker and another one make something else of a job's only part.
    /// - Returns: the lease of the one that decides.
    private func differ(_ store: any FarmStore, _ crew: Crew) async throws -> LeaseGrant {
        var job = SampleJob.job(key: "convicting", segments: 1, hasSound: false)
        job.audit = .all
        _ = try await store.insertJob(job)
        #expect(try await work(store, crew.faulty, on: .picture, making: "wrong") == [.delivered])
        #expect(try await work(store, crew.b, on: .picture) == [.differed])
        return try #require(try await store.acquire(crew.c, kinds: [.picture]).first)
    }

    private func convict(_ store: any FarmStore, _ crew: Crew) async throws {
        let deciding = try await differ(store, crew)
        #expect(try await store.completeAll([completion("right", deciding, crew.c)]) == [.accepted])
        #expect(try await store.blockedWorkers().map(\.isFaulty) == [true])
    }

    /// Whoever went by a withdrawn measurement made something else than those who go by the new one.
    @Test(arguments: Kind.allCases, [TaskKind.measure, .sound])
    func whatWasMadeByAWithdrawnReadingConvictsNobody(kind: Kind, later: TaskKind) async throws {
        let (store, crew) = try await open(kind)
        var job = SampleJob.job(key: "measured", segments: 1, rounds: later == .measure ? 2 : 1)
        job.audit = .all
        _ = try await store.insertJob(job)
        for kind in [TaskKind.picture, .measure] {
            let outcomes = try await work(store, crew.a, on: kind)
            #expect(!outcomes.isEmpty && outcomes.allSatisfy { $0 == .delivered })
        }
        #expect(try await work(store, crew.b, on: .picture) == [.accepted])
        // What the faulty worker confirms is its part, and is withdrawn with all others.
        #expect(try await work(store, crew.faulty, on: .measure) == [.accepted, .accepted, .accepted])
        let claimed = try await work(store, crew.a, on: later, making: "by the old reading")
        #expect(claimed.count == (later == .measure ? 3 : 1) && claimed.allSatisfy { $0 == .delivered })

        try await convict(store, crew)
        #expect(try await store.withdrawFaulty().map(\.tasks.count) == [3])
        // A rejected part is rendered again after a pause.
        try await store.setClock(Self.start.adding(milliseconds: 60_000))
        let delivered = [CompletionOutcome](repeating: .delivered, count: 3)
        let accepted = [CompletionOutcome](repeating: .accepted, count: 3)
        #expect(try await work(store, crew.a, on: .measure, making: "again") == delivered)
        #expect(try await work(store, crew.b, on: .measure, making: "again") == accepted)
        let count = claimed.count
        #expect(
            try await work(store, crew.b, on: later, making: "by the new reading") == Array(delivered.prefix(count))
        )
        #expect(
            try await work(store, crew.c, on: later, making: "by the new reading") == Array(accepted.prefix(count))
        )
        #expect(try await store.blockedWorkers().map(\.name) == ["faulty"])
    }

    /// A job of one segment and its sound, which such jobs have in common, and a round of measuring of its own.
    private func shared(_ name: String) -> NewJob {
        var job = SampleJob.job(key: name, segments: 1, rounds: 1)
        for place in job.tasks.indices where job.tasks[place].kind == .sound {
            job.tasks[place].key = ContentDigest(of: Data("the sound".utf8))
        }
        return job.pinned(to: [:])
    }

    /// A part that is there is a claim of the worker that made it; here by what the faulty one had measured.
    @Test(arguments: Kind.allCases) func aWithdrawnPartIsNobodysClaim(kind: Kind) async throws {
        let (store, crew) = try await open(kind)
        _ = try await store.insertJob(shared("first"))
        #expect(try await work(store, crew.a, on: .picture) == [.accepted])
        #expect(try await work(store, crew.faulty, on: .measure, making: "wrong").count == 3)
        #expect(try await work(store, crew.a, on: .sound, making: "by the wrong reading") == [.accepted])

        var second = shared("second")
        second.audit = .all
        _ = try await store.insertJob(second)
        #expect(try await store.take(store.offers(limit: 9)).count == 1)
        for kind in [TaskKind.picture, .measure] {
            #expect(try await work(store, crew.a, on: kind).allSatisfy { $0 == .delivered })
            #expect(try await work(store, crew.b, on: kind).allSatisfy { $0 == .accepted })
        }
        #expect(try await store.acquire(crew.a, kinds: [.sound]).isEmpty, "its part is the claim")

        try await convict(store, crew)
        #expect(try await store.withdrawFaulty().map(\.tasks.count) == [4])
        #expect(try await work(store, crew.a, on: .sound) == [.delivered])
        #expect(try await work(store, crew.b, on: .sound) == [.accepted])
        #expect(try await store.blockedWorkers().map(\.name) == ["faulty"])
    }

    /// A job whose only part a worker has rendered.
    private func rendered(_ store: any FarmStore, _ key: String, by worker: WorkerID) async throws -> JobID {
        let job = try await store.insertJob(SampleJob.job(key: key, segments: 1, hasSound: false)).job.id
        #expect(try await work(store, worker, on: .picture) == [.accepted])
        return job
    }

    /// Joining may have begun before the conviction. Whose parts it joined is known once all is withdrawn.
    @Test(arguments: Kind.allCases) func noMovieIsAcceptedBeforeTheWithdrawal(kind: Kind) async throws {
        let (store, crew) = try await open(kind)
        let tainted = try await rendered(store, "tainted", by: crew.faulty)
        let clean = try await rendered(store, "clean", by: crew.a)
        let joins = try await store.acquire(crew.b, kinds: [.stitch], capacity: 9)
        #expect(Set(joins.map(\.job)) == [tainted, clean])

        try await convict(store, crew)
        let movies = joins.map { completion("movie", $0, crew.b) }
        for _ in 1...2 { #expect(try await store.completeAll(movies) == [.leaseLost, .leaseLost]) }
        for job in [tainted, clean] { #expect(try await store.job(job)?.state == .stitching) }
        #expect(try await store.acquire(crew.b, kinds: [.stitch], capacity: 9).isEmpty)

        #expect(try await store.withdrawFaulty().map(\.tasks.count) == [1])
        #expect(try await store.job(tainted)?.state == .rendering)
        let again = try await store.acquire(crew.b, kinds: [.stitch], capacity: 9)
        let join = try #require(again.first { $0.job == clean })
        #expect(!again.contains { $0.job == tainted })
        #expect(try await store.completeAll([completion("movie", join, crew.b)]) == [.accepted])
        #expect(try await store.job(clean)?.state == .completed)
        let attempts = try await store.tasks(of: clean).last?.attempts.map(\.state)
        #expect(attempts == [.released, .completed], "it does not count against the task")
    }

    /// Completions that come together are one transaction, in which a conviction is not stored before its end.
    @Test(arguments: Kind.allCases) func aConvictionCountsForTheMovieBesideIt(kind: Kind) async throws {
        let (store, crew) = try await open(kind)
        let tainted = try await rendered(store, "tainted", by: crew.faulty)
        let join = try #require(try await store.acquire(crew.b, kinds: [.stitch]).first)
        let deciding = try await differ(store, crew)
        let together = [completion("right", deciding, crew.c), completion("movie", join, crew.b)]
        #expect(try await store.completeAll(together) == [.accepted, .leaseLost])
        #expect(try await store.job(tainted)?.state == .stitching)
    }
}
