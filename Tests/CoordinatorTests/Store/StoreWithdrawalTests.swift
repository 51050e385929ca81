import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// What is withdrawn with what a worker made, which parts go to make room, and who waits for a part, in both stores.
@Suite struct StoreWithdrawalTests {
    enum Kind: CaseIterable { case memory, postgres }

    /// A store whose clock a test sets.
    private struct Clocked {
        let store: any FarmStore
        let setClock: @Sendable (FarmTime) -> Void
    }

    private static let start = FarmTime(milliseconds: 1_700_000_000_000)

    private func open(_ kind: Kind, _ policy: FarmPolicy = FarmPolicy()) async throws -> Clocked {
        switch kind {
        case .memory:
            let store = InMemoryFarmStore(
                policy: policy,
                identifiers: IdentifierSource(),
                clock: .standing(at: Self.start)
            )
            return Clocked(store: store) { store.setClock($0) }
        case .postgres:
            let store = try await StoreDatabase.store(policy: policy)
            store.setClock(Self.start)
            return Clocked(store: store) { store.setClock($0) }
        }
    }

    /// A job of one segment, its sound, and two rounds of three measuring tasks before that.
    /// - Parameter keys: what the keys of the rounds are made of; nil gives a round none.
    private func measured(_ name: String, keys: [String?]) -> NewJob {
        var job = SampleJob.job(key: name, segments: 1, rounds: keys.count)
        for (number, place) in job.tasks.indices.filter({ job.tasks[$0].kind == .measure }).enumerated() {
            job.tasks[place].key = keys[number / 3].map { ContentDigest(of: Data("\($0) \(number % 3)".utf8)) }
        }
        return job.pinned(to: [:])
    }

    /// Has `worker` do what it can get of some kinds, `count` tasks.
    /// - Returns: what it made.
    private func work(
        _ store: any FarmStore,
        _ worker: WorkerID,
        on kind: TaskKind,
        _ count: Int
    ) async throws -> Set<ContentDigest> {
        var made: Set<ContentDigest> = []
        while made.count < count {
            let grants = try await store.acquire(worker, kinds: [kind], capacity: min(16, count - made.count))
            try #require(!grants.isEmpty)
            for grant in grants {
                #expect(try await store.complete(grant, by: worker) == .accepted)
                made.insert(ContentDigest(of: Data(grant.task.description.utf8)))
            }
        }
        return made
    }

    private func take(_ store: any FarmStore, _ count: Int) async throws {
        #expect(try await store.take(store.offers(limit: 99)).count == count)
    }

    /// A reading was taken back once too often while the round after it was open. The job failed, and is retried: that
    /// round is closed, and keeps nobody from the work of other jobs.
    @Test(arguments: Kind.allCases) func aRetriedJobBeginsWhereAReadingIsMissing(kind: Kind) async throws {
        var policy = FarmPolicy()
        policy.retry.giveUpAfter = 1
        let store = try await open(kind, policy).store
        let job = try await store.insertJob(measured("a", keys: [nil, nil])).job.id
        let worker = try await store.register("worker")
        let made = try await work(store, worker, on: .measure, 3)
        let failure = Failure(code: "artifact_damaged", message: "It cannot be read.", isPermanent: false)
        #expect(try await store.reject(Array(made.prefix(1)), because: failure).count == 1)
        #expect(try await store.job(job)?.state == .failed)
        #expect(try await store.control(job, .retry) == .done)
        let first = try await store.acquire(worker, kinds: [.measure])
        #expect(first.map(\.job) == [job])
        let other = try await store.insertJob(measured("b", keys: [nil, nil])).job.id
        #expect(try await store.acquire(worker, kinds: [.measure]).map(\.job) == [other])
        for grant in first { #expect(try await store.complete(grant, by: worker) == .accepted) }
        #expect(try await store.acquire(worker, kinds: [.measure], capacity: 3).map(\.job) == [job, job, job])
    }

    /// Later rounds are measured with the gain that earlier ones gave: a wrong reading makes all of them wrong, and the
    /// sound, whoever made those.
    @Test(arguments: Kind.allCases) func whatFollowsAReadingGoesWithIt(kind: Kind) async throws {
        let store = try await open(kind).store
        let job = try await store.insertJob(measured("first", keys: ["a", "b"])).job.id
        let (faulty, sound) = (try await store.register("faulty"), try await store.register("sound"))
        var made = try await work(store, faulty, on: .measure, 3)
        made.formUnion(try await work(store, sound, on: .measure, 3))
        made.formUnion(try await work(store, sound, on: .sound, 1))
        let picture = try await work(store, sound, on: .picture, 1)
        let found = try await store.artifacts(madeBy: "faulty")
        #expect(Set(found) == made && found.count == 7 && made.isDisjoint(with: picture))
        let failure = Failure(code: FarmFailure.partWithdrawn, message: "It is withdrawn.", isPermanent: false)
        #expect(try await store.reject(found, because: failure).count == 7)
        let tasks = try await store.tasks(of: job, from: 0, limit: 99)
        #expect(tasks.filter { $0.state == .completed }.map(\.kind) == [.picture])
        #expect(try await store.parts(limit: 99).map(\.artifact) == Array(picture))
        // Round by round, as at first.
        #expect(try await store.acquire(sound, kinds: [.sound]).isEmpty)
        let workers = try await store.workers()
        #expect(workers.allSatisfy { $0.blocked == nil })
    }

    /// A job may have taken the readings, and others what was measured by them.
    @Test(arguments: Kind.allCases) func takenReadingsAreFollowedToo(kind: Kind) async throws {
        let store = try await open(kind).store
        let (faulty, sound) = (try await store.register("faulty"), try await store.register("sound"))
        _ = try await store.insertJob(measured("first", keys: ["a", nil]))
        var made = try await work(store, faulty, on: .measure, 3)
        made.formUnion(try await work(store, sound, on: .measure, 3))
        // The second job takes the first round, and gives its second round to the third job, which has measured its first one
        // itself.
        _ = try await store.insertJob(measured("second", keys: ["a", "b"]))
        try await take(store, 3)
        made.formUnion(try await work(store, sound, on: .measure, 3))
        _ = try await store.insertJob(measured("third", keys: ["c", "b"]))
        let right = try await work(store, sound, on: .measure, 3)
        try await take(store, 3)
        made.formUnion(try await work(store, sound, on: .sound, 3))
        let found = Set(try await store.artifacts(madeBy: "faulty"))
        #expect(found == made && found.isDisjoint(with: right), "\(found.count) of \(made.count)")
    }

    /// Also what is accepted between the list and the withdrawal.
    @Test(arguments: Kind.allCases) func whatIsAcceptedMeanwhileGoesToo(kind: Kind) async throws {
        let store = try await open(kind).store
        let job = try await store.insertJob(measured("first", keys: ["a"])).job.id
        let (faulty, sound) = (try await store.register("faulty"), try await store.register("sound"))
        _ = try await work(store, faulty, on: .measure, 3)
        let grant = try #require(try await store.acquire(sound, kinds: [.sound]).first)
        let found = try await store.artifacts(madeBy: "faulty")
        #expect(found.count == 3)
        #expect(try await store.complete(grant, by: sound) == .accepted)
        let lost = Failure(code: FarmFailure.artifactLost, message: "It is gone.", isPermanent: false)
        #expect(
            try await store.reject([found[0]], because: lost).count == 1,
            "lost bytes prove nothing about the sound"
        )
        let failure = Failure(code: FarmFailure.partWithdrawn, message: "It is withdrawn.", isPermanent: false)
        #expect(try await store.reject(found, because: failure).count == 3)
        let tasks = try await store.tasks(of: job, from: 0, limit: 99)
        #expect(tasks.allSatisfy { $0.state == .queued })
        #expect(try await store.parts(limit: 99).isEmpty)
    }

    /// One worker's tasks of a long job, in one transaction.
    @Test(arguments: Kind.allCases) func veryManyTasksAreWithdrawn(kind: Kind) async throws {
        let store = try await open(kind).store
        let job = try await store.insertJob(SampleJob.job(key: "k", segments: 250).pinned(to: [:])).job.id
        let (first, second) = (try await store.register("first"), try await store.register("second"))
        _ = try await work(store, first, on: .picture, 230)
        _ = try await work(store, second, on: .picture, 20)
        _ = try await work(store, second, on: .sound, 1)
        #expect(try await store.job(job)?.state == .stitching)
        let grants = try await store.acquire(second, kinds: [.stitch])
        #expect(grants.count == 1)
        let failure = Failure(code: FarmFailure.partWithdrawn, message: "It is withdrawn.", isPermanent: false)
        let rejected = try await store.reject(store.artifacts(madeBy: "first"), because: failure)
        #expect(rejected.count == 230 && rejected == rejected.sorted())
        let after = try #require(try await store.job(job))
        #expect(after.state == .rendering && after.tasks.completed == 21 && after.tasks.queued == 231)
        #expect(try await store.acquire(second, kinds: [.stitch]).isEmpty)
        let attempt = try await store.tasks(of: job, from: 251, limit: 9).first?.attempts.first
        #expect(attempt?.state == .released, "the movie is not joined without them")
    }

    private func part(_ name: String, used: Int64, byteCount: Int64 = 10) -> PartRecord {
        PartRecord(
            key: ContentDigest(of: Data(name.utf8)),
            versions: RenderVersions(renderer: 1, libraries: [:]),
            kind: .picture,
            artifact: ContentDigest(of: Data("of \(name)".utf8)),
            byteCount: byteCount,
            unitCount: 1,
            statistics: TaskStatistics(cpuMilliseconds: TaskStatistics.largest),
            worker: WorkerID(uuid: UUID()),
            workerName: "w",
            made: FarmTime(milliseconds: 1),
            used: FarmTime(milliseconds: used),
            uses: 100_000_000
        )
    }

    /// The least recently used parts may be those of a job that has waited all night; they take no other part's place.
    @Test(arguments: Kind.allCases) func partsThatMayNotGoMakeOthersGo(kind: Kind) async throws {
        let store = try await open(kind).store
        for (number, name) in ["old", "middle", "new"].enumerated() {
            try await store.putPart(part(name, used: Int64(number)))
        }
        var job = SampleJob.job(key: "k", segments: 1).pinned(to: [:])
        job.tasks[0].key = ContentDigest(of: Data("old".utf8))
        _ = try await store.insertJob(job)
        let totals = try await store.partTotals()
        #expect(totals.byteCount == 30 && totals.savedMilliseconds == .max, "whatever the numbers come to")
        #expect(try await store.removeParts(.beyond(bytes: 30)).isEmpty)
        #expect(try await store.removeParts(.beyond(bytes: 20)).map(\.used.milliseconds) == [1])
        #expect(try await store.parts(limit: 9).map(\.used.milliseconds) == [2, 0])
        #expect(try await store.removeParts(.beyond(bytes: 0)).count == 1)
        #expect(try await store.parts(limit: 9).map(\.used.milliseconds) == [0])
    }

    /// Whoever may go on with a part whose worker is gone may never come: a job that could be worked at does not wait.
    @Test(arguments: Kind.allCases, ["requirement", "audit"])
    func aMakerThatNobodyGoesOnWithHoldsUpNobody(kind: Kind, why: String) async throws {
        let clocked = try await open(kind)
        let store = clocked.store
        func register(_ name: String, tags: [String]) async throws -> WorkerID {
            let registration = WorkerRegistration(
                name: name,
                kinds: [.picture],
                slots: 1,
                rendererVersion: 1,
                libraries: [:],
                machine: name,
                tags: tags
            )
            return try await store.registerWorker(registration).worker
        }
        let gone = try await register("gone", tags: ["gpu"])
        let here = try await register("here", tags: [])
        _ = try await store.sweep()
        var held = SampleJob.job(key: "held", owner: "a", segments: 1, hasSound: false, sharesParts: true).pinned(
            to: [:])
        if why == "audit" { held.audit = .all } else { held.requirements = Requirements([.tag("gpu")]) }
        _ = try await store.insertJob(held)
        if why == "audit" {
            let first = try #require(try await store.acquire(here).first)
            #expect(try await store.complete(first, by: here) == .delivered)
        }
        #expect(try await store.acquire(gone).count == 1)
        let waiting = SampleJob.job(key: "waiting", owner: "b", segments: 1, hasSound: false, sharesParts: true)
        let job = try await store.insertJob(waiting.pinned(to: [:])).job.id
        #expect(try await store.acquire(here).isEmpty, "the part is being made")
        for second in 1...8 {
            clocked.setClock(Self.start.adding(milliseconds: Int64(second) * 1000))
            _ = try await store.sweep()
        }
        #expect(try await store.acquire(here).map(\.job) == [job])
    }
}
