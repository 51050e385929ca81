import CompositionModel
import Dispatch
import Farm
import FarmSimulation
import Logging
import PostgreSQL
import Sandbox
import ServiceLifecycle
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Services that are stopped while they wait for a database connection. A wait that is cancelled throws what a database
/// that does not answer throws, and says nothing of the database.
@Suite struct CancelledWaitTests {
    /// Longer than any other pause of these tests, so that it is known by its length who waits for a connection.
    private static let checkoutLimit: Duration = .seconds(3600)

    /// A store whose only connection is in use until it is released.
    private final class BusyStore: Sendable {
        let store: PostgresFarmStore
        let clock = TestClock()
        private let gate = DispatchSemaphore(value: 0)

        init(_ target: ConnectionTarget) async throws {
            store = try await PostgresFarmStore.open(
                target,
                connections: 1,
                checkoutLimit: CancelledWaitTests.checkoutLimit,
                clock: clock,
                logger: quietStoreLogger
            )
            let (began, continuation) = AsyncStream.makeStream(of: Void.self)
            Task { [store, gate] in
                try await store.pool.run { _ in
                    continuation.finish()
                    gate.wait()
                }
            }
            for await _ in began {}
        }

        /// Waits until somebody waits for the connection.
        func isAwaited() async throws { try await clock.waitForSleep(of: CancelledWaitTests.checkoutLimit) }

        func release() { gate.signal() }
    }

    /// A service that asks the store at every round, and the pause before its first.
    enum Asking: CaseIterable {
        case sweeping, watchingDeadlines

        fileprivate var pause: Duration { self == .sweeping ? .milliseconds(500) : .seconds(5) }

        fileprivate func service(_ store: any FarmStore, _ clock: TestClock, _ logger: Logger) -> any Service {
            let space = SpaceWatch(artifactRoot: "/", others: [], read: { _ in nil })
            let outlook = JobOutlook(store: store, hold: FarmHold(space: space, bucket: nil))
            return switch self {
            case .sweeping: ExpirySweeper(store: store, metrics: FarmMetrics(), clock: clock, logger: logger)
            case .watchingDeadlines: DeadlineWatch(store: store, outlook: outlook, clock: clock, logger: logger)
            }
        }
    }

    @Test(arguments: Asking.allCases) func aServiceThatIsStoppedComplainsOfNothing(asking: Asking) async throws {
        let busy = try await BusyStore(StoreDatabase.make())
        let log = KeptLog()
        let running = Task { try await asking.service(busy.store, busy.clock, log.logger).run() }
        try await busy.clock.waitForSleep(of: asking.pause)
        busy.clock.advance(by: asking.pause)
        try await busy.isAwaited()
        running.cancel()
        try await running.value
        #expect(log.lines.isEmpty, "\(log.lines)")
        busy.release()
    }

    @Test(arguments: Asking.allCases) func aServiceThatGoesOnComplains(asking: Asking) async throws {
        let busy = try await BusyStore(StoreDatabase.make())
        let log = KeptLog()
        let running = Task { try await asking.service(busy.store, busy.clock, log.logger).run() }
        try await busy.clock.turn(by: .seconds(60)) { !log.lines.isEmpty }
        #expect(log.lines.first?.level == .warning)
        running.cancel()
        try await running.value
        busy.release()
    }

    /// The attempt at a movie that a shutdown breaks off is given back, and does not count as one that failed.
    @Test func aMovieThatAShutdownBreaksOffHasNotFailed() async throws {
        let (folder, target, log) = (try TemporaryFolder(), try await StoreDatabase.make(), KeptLog())
        let other = try await StoreDatabase.open(target)
        let job = try await other.insertJob(SampleJob.job(key: "a", segments: 1, hasSound: false)).job.id
        let worker = try await other.register("stitch")
        for grant in try await other.acquire(worker) { _ = try await other.complete(grant, by: worker) }
        let grant = try #require(try await other.acquire(worker, kinds: [.stitch]).first)

        let busy = try await BusyStore(target)
        let artifacts = try ArtifactStore(root: folder.path("artifacts"))
        let space = SpaceWatch(artifactRoot: artifacts.root, others: [], read: { _ in nil })
        let executor = StitchExecutor(
            store: busy.store,
            artifacts: ArtifactLibrary(folder: artifacts, bucket: nil, space: space),
            space: space,
            renderer: RenderProcess(executable: "/none"),
            clock: busy.clock,
            metrics: FarmMetrics(),
            traces: JobTraces(store: nil),
            logger: log.logger
        )
        let registered = WorkerRegistered(worker: worker, leaseMilliseconds: 10_000, heartbeatMilliseconds: 3_000)
        let running = Task { await executor.run(grant, registered) }
        try await busy.isAwaited()
        running.cancel()
        busy.release()
        await running.value

        let stitch = try #require(try await other.tasks(of: job).last)
        #expect(stitch.state == .queued && stitch.attempts.map(\.state) == [.released], "\(stitch)")
        #expect(log.lines.isEmpty, "\(log.lines)")
    }
}
