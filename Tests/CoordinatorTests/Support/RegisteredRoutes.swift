import Farm
import Foundation
import HTTPTypes
import Logging
import Sandbox
import Storage
import TestSupport

@testable import Coordinator

/// The routes of a coordinator that is not started.
enum RegisteredRoutes {
    /// Every route of the server, by address and method.
    static func all() throws -> [RouteTable.Route] {
        let folder = try TemporaryFolder()
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let renderer = try FakeRenderer.make(in: folder)
        let root = folder.path("artifacts")
        let artifacts = ArtifactLibrary(
            folder: try ArtifactStore(root: root),
            bucket: nil,
            space: SpaceWatch(artifactRoot: root, others: [], read: { _ in nil })
        )
        let configuration = CoordinatorConfiguration(
            store: store,
            artifactRoot: root,
            tokens: try TokenBook(text: RunningCoordinator.tokens),
            renderer: renderer,
            logger: logger
        )
        let clock = TestClock()
        let hub = ChangeHub(store: store, tick: .seconds(1), clock: clock)
        let api = CoordinatorAPI(
            configuration: configuration,
            artifacts: artifacts,
            workersSend: false,
            collection: ArtifactCollection(store: store, artifacts: artifacts, clock: clock),
            shelved: nil,
            tokens: KnownTokens(book: configuration.tokens, store: nil, clock: clock),
            sessions: SessionSigner(tokens: configuration.tokens, secret: Data(count: 32)),
            hub: hub,
            dispatcher: LeaseDispatcher(store: store, hub: hub, clock: clock, logger: logger, isPaused: { false }),
            probing: nil,
            bucketWatch: nil,
            versions: RendererVersions(renderer: InstalledRenderer(renderer)),
            metrics: FarmMetrics(),
            traces: JobTraces(store: nil),
            logger: logger,
            assetLogger: logger
        )
        return api.routes().routes.sorted { ($0.path, $0.method.rawValue) < ($1.path, $1.method.rawValue) }
    }

    /// Those of the API: without the page of the dashboard and its files.
    static func ofTheAPI() throws -> [RouteTable.Route] {
        let page = RouteTable(middlewares: [])
        DashboardRoutes().add(to: page)
        let files = Set(page.routes.map(\.path))
        return try all().filter { !files.contains($0.path) }
    }
}
