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
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let store = StalledStore()
        store.beforeOffers.withLock { $0 = { clock.advance(by: .milliseconds(look)) } }
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
        try await clock.waitForSleep(of: .milliseconds(rest))
        running.cancel()
        try await running.value
    }
}
