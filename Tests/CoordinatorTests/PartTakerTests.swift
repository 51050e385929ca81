import CompositionModel
import Farm
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// How parts are looked for, and how often.
@Suite struct PartTakerTests {
    /// The rest is nine times as long as the look, and a second at most: looks take longer with the length of the queue,
    /// and come with each change of the farm.
    @Test(arguments: [(20, 180), (500, 1000)])
    func aLookThatFindsNothingIsFollowedByARest(look: Int, rest: Int) async throws {
        let clock = TestClock()
        let looking: Offers = { () throws(FarmStoreError) in clock.advance(by: .milliseconds(look)) }
        try await withTaker(clock, looking) { try await clock.waitForSleep(of: .milliseconds(rest)) }
    }

    /// A database that answers no looks is not asked hundreds of times a second.
    @Test func aLookThatFailsIsFollowedByARest() async throws {
        let clock = TestClock()
        let failing: Offers = { () throws(FarmStoreError) in throw .unavailable("It is away.") }
        try await withTaker(clock, failing) { try await clock.waitForSleep(of: .seconds(1)) }
    }

    /// Parts that cannot be taken, look after look, are not in the way of the others.
    @Test func partsThatFailHoldUpNoOther() async throws {
        let store = StalledStore()
        let keys = (0..<30).map { "part \($0)" }
        let bad = Set(keys.prefix(2).map { ContentDigest(of: FarmPieces.part($0)) })
        store.beforeTake.withLock {
            $0 = { offers throws(FarmStoreError) in
                if offers.contains(where: { bad.contains($0.part.artifact) }) {
                    throw .unavailable("This row is unusable.")
                }
            }
        }
        let clock = TestClock()
        try await withTaker(clock, store, parts: keys) {
            try await clock.waitForSleep(of: .seconds(1))
            #expect(try store.model.jobs(JobFilter()).map(\.tasks.taken) == [28])
        }
    }

    /// Sources of hundreds of gigabytes are read for hours.
    @Test func aPartIsReadWhileSourcesAreReadToo() async throws {
        let release = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        let sources = (0..<4).map { _ in
            Task {
                try await readingWhole {
                    began.signal()
                    release.wait()
                }
            }
        }
        defer { for _ in sources { release.signal() } }
        try await blocking { for _ in 0..<4 { began.wait() } }
        let (store, clock) = (StalledStore(), TestClock())
        try await withTaker(clock, store, parts: ["one"]) {
            try await waitUntil { try store.model.jobs(JobFilter()).map(\.tasks.taken) == [1] }
        }
    }

    /// Called with each look.
    private typealias Offers = @Sendable () throws(FarmStoreError) -> Void

    private func withTaker(
        _ clock: TestClock,
        _ offers: @escaping Offers,
        _ body: () async throws -> Void
    ) async throws {
        let store = StalledStore()
        store.beforeOffers.withLock { $0 = offers }
        try await withTaker(clock, store, parts: [], body)
    }

    /// Looks for parts in a store while `body` runs.
    /// - Parameter keys: the keys of parts that are there, and of the segments of a job.
    private func withTaker(
        _ clock: TestClock,
        _ store: StalledStore,
        parts keys: [String],
        _ body: () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let artifacts = try ArtifactStore(root: folder.path("artifacts"))
        if !keys.isEmpty {
            let job = try FarmPieces.job(parts: keys.count, keys: keys)
            let versions = try #require(job.versions)
            for key in keys {
                let bytes = FarmPieces.part(key)
                try store.model.putPart(
                    PartRecord(
                        key: ContentDigest(of: Data(key.utf8)),
                        versions: versions,
                        kind: .picture,
                        artifact: try artifacts.put(bytes),
                        byteCount: Int64(bytes.count),
                        unitCount: 25,
                        statistics: TaskStatistics(),
                        worker: WorkerID(uuid: UUID()),
                        workerName: "w",
                        made: FarmTime(milliseconds: 1),
                        used: FarmTime(milliseconds: 1),
                        uses: 0
                    )
                )
            }
            _ = try store.model.insertJob(job)
        }
        let taker = PartTaker(
            store: store,
            artifacts: ArtifactLibrary(
                folder: artifacts,
                bucket: nil,
                space: SpaceWatch(artifactRoot: artifacts.root, others: [], read: { _ in nil })
            ),
            hub: ChangeHub(store: store, tick: .seconds(3600), clock: TestClock()),
            shelved: nil,
            clock: clock,
            logger: quietStoreLogger
        )
        let running = Task { try await taker.run() }
        try await body()
        running.cancel()
        try await running.value
    }
}
