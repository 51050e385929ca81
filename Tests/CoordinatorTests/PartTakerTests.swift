import Farm
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// How often parts are looked for.
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

    /// Called with each look.
    private typealias Offers = @Sendable () throws(FarmStoreError) -> Void

    /// Looks for parts in a store while `body` runs.
    private func withTaker(
        _ clock: TestClock,
        _ offers: @escaping Offers,
        _ body: () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let store = StalledStore()
        store.beforeOffers.withLock { $0 = offers }
        let artifacts = try ArtifactStore(root: folder.path("artifacts"))
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
