import Curl
import Digests
import Farm
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Sandbox
import ServiceLifecycle
import Storage
import TLS
import WireProtocol

/// A coordinator: its HTTP server and everything it does by itself. Several may run on one database and one artifact
/// store.
package struct CoordinatorService: Service {
    private let configuration: CoordinatorConfiguration

    /// Describes a coordinator; ``run()`` starts it.
    package init(_ configuration: CoordinatorConfiguration) { self.configuration = configuration }

    /// Serves until graceful shutdown, which takes at most ``CoordinatorConfiguration/shutdownLimit``: new connections are
    /// refused, long polls are answered without grants, event streams end, and joining is handed back.
    /// - Throws: ``AddressUnusable`` when the address cannot be listened on; `CredentialsError` when the certificate or
    ///   its key cannot be used; ``StorageError/foreign(root:)`` or ``StorageError/foreignBucket(_:)`` when another database's
    ///   farm uses the artifacts' place,
    ///   other ``StorageError`` when the artifact store cannot be made; ``FarmStoreError`` when the database does not
    ///   answer.
    package func run() async throws {
        let folder = try ArtifactStore(
            root: configuration.artifactRoot,
            identities: configuration.sourceMemory?.identities,
            now: configuration.now
        )
        let secret = try await configuration.store.secret()
        try await blocking { try folder.claim(for: Self.owner(secret)) }
        let bucket = try await bucketArtifacts(of: Self.owner(secret))
        let workersSend = try await bucket?.comparesDigests() ?? false
        if bucket != nil, !workersSend {
            logger("artifacts").warning(
                "the bucket's service compares no digests: artifacts pass through the coordinator"
            )
        }
        let artifacts = ArtifactLibrary(folder: folder, bucket: bucket, space: configuration.spaceWatch)
        let hub = ChangeHub(store: configuration.store, tick: configuration.tick, clock: configuration.clock)
        let bucketWatch = bucket.map { bucket in
            BucketWatch(clock: configuration.clock, logger: logger("artifacts")) { try await bucket.requireAnswer() }
        }
        let hold = FarmHold(space: configuration.spaceWatch, bucket: bucketWatch)
        let dispatcher = LeaseDispatcher(
            store: configuration.store,
            hub: hub,
            clock: configuration.clock,
            logger: logger("dispatcher"),
            isPaused: { hold.reason != nil }
        )
        let versions = RendererVersions(renderer: configuration.installed ?? InstalledRenderer(configuration.renderer))
        let sessions = SessionSigner(tokens: configuration.tokens, secret: secret)
        let shelved = configuration.partShelf.map {
            ShelvedParts(shelf: $0, artifacts: folder, store: configuration.store)
        }
        let collection = ArtifactCollection(
            store: configuration.store,
            artifacts: artifacts,
            clock: configuration.clock
        )
        let probing = bucket.flatMap { bucket in
            (configuration.store as? any BucketUploadLedger).map { ledger in
                ProbeDispatcher(
                    ledger: ledger,
                    clock: configuration.clock,
                    now: configuration.now,
                    logger: logger("probing")
                )
            }
        }
        let metrics = FarmMetrics()
        let traces = JobTraces(store: configuration.store as? any TraceStore)
        let api = CoordinatorAPI(
            configuration: configuration,
            artifacts: artifacts,
            workersSend: workersSend,
            collection: collection,
            shelved: shelved,
            tokens: KnownTokens(
                book: configuration.tokens,
                store: configuration.store as? any TokenStore,
                clock: configuration.clock
            ),
            sessions: sessions,
            hub: hub,
            dispatcher: dispatcher,
            probing: probing,
            bucketWatch: bucketWatch,
            versions: versions,
            metrics: metrics,
            traces: traces,
            logger: logger("api"),
            assetLogger: logger("assets")
        )
        let application = Application(
            responder: HeadCheck(next: api.routes().router.buildResponder(), metrics: metrics),
            server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                backlog: 1024
            ),
            onServerRunning: { channel in configuration.onReady(channel.localAddress?.port ?? configuration.port) },
            logger: logger("http")
        )
        // Services stop in the reverse order: first the server of requests, then the work behind it.
        var services: [any Service] = [
            hub,
            ArtifactSweeper(
                artifacts: folder,
                uploadIdle: configuration.uploadIdle,
                space: configuration.spaceWatch,
                clock: configuration.clock,
                logger: logger("sweeper")
            ),
            collector(collection),
            HistorySweeper(
                store: configuration.store,
                retention: configuration.retention,
                interval: .seconds(3600),
                pruningInterval: configuration.pruningInterval,
                clock: configuration.clock,
                logger: logger("history")
            ),
            PartKeeper(
                store: configuration.store,
                collection: collection,
                // Parts of a bucket make no room on this disk.
                space: bucket == nil ? configuration.spaceWatch : nil,
                limit: configuration.partsLimit,
                interval: configuration.partsInterval,
                clock: configuration.clock,
                logger: logger("parts")
            ),
            ExpirySweeper(
                store: configuration.store,
                metrics: metrics,
                clock: configuration.clock,
                logger: logger("expiry")
            ),
            DeadlineWatch(
                store: configuration.store,
                outlook: JobOutlook(store: configuration.store, hold: hold),
                clock: configuration.clock,
                logger: logger("deadlines")
            ),
            dispatcher, stitchService(artifacts, shelved, collection, dispatcher, versions, metrics, traces),
            application,
        ]
        if let store = configuration.store as? any RetentionStore,
            !configuration.keptMovies.isAll || !configuration.keptAssets.isAll
        {
            services.append(
                RetentionSweeper(
                    retention: Retention(store: store, collection: collection),
                    movies: configuration.keptMovies,
                    assets: configuration.keptAssets,
                    clock: configuration.clock,
                    logger: logger("retention")
                )
            )
        }
        if let url = configuration.otlpEndpoint, let store = configuration.store as? any TraceStore {
            services.append(
                TraceExporter(
                    store: configuration.store,
                    traces: store,
                    url: url,
                    clock: configuration.clock,
                    logger: logger("traces")
                )
            )
        }
        if let limit = configuration.bucket?.scratchLimit {
            services.append(
                ScratchKeeper(
                    folder: folder,
                    space: configuration.spaceWatch,
                    limit: limit,
                    clock: configuration.clock,
                    logger: logger("artifacts")
                )
            )
        }
        if let probing { services.insert(probing, at: 1) }
        if let bucketWatch { services.insert(bucketWatch, at: 1) }
        if let sender = webhookSender() { services.append(sender) }
        if let shelf = configuration.partShelf {
            let keeper = ShelfKeeper(
                shelf: shelf,
                space: { [root = configuration.artifactRoot] in DiskSpace.of(root) },
                clock: configuration.clock,
                logger: logger("parts")
            )
            services.insert(keeper, at: 1)
        }
        if configuration.partsLimit > 0 {
            services.insert(
                PartTaker(
                    store: configuration.store,
                    artifacts: artifacts,
                    hub: hub,
                    shelved: shelved,
                    clock: configuration.clock,
                    logger: logger("parts")
                ),
                at: 1
            )
        }
        if !configuration.outputFolders.names.isEmpty {
            let delivery = OutputDelivery(
                store: configuration.store,
                artifacts: artifacts,
                folders: configuration.outputFolders,
                hub: hub,
                clock: configuration.clock,
                logger: logger("delivery")
            )
            services.insert(delivery, at: 1)
        }
        if let sources = configuration.sources {
            services.insert(sourceService(sources, folder, api.intake), at: 1)
        }
        var group = ServiceGroupConfiguration(services: services, logger: logger("services"))
        group.maximumGracefulShutdownDuration = configuration.shutdownLimit
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError where AddressUnusable.codes.contains(error.errnoCode) {
            throw AddressUnusable(host: configuration.host, port: configuration.port, code: error.errnoCode)
        }
    }

    /// The name by which the farm of a database is known in its artifact folder.
    private static func owner(_ secret: Data) -> String {
        SHA256.hash(Data("cutfarm/artifacts/1\n".utf8) + secret).hex
    }

    /// The farm's bucket, claimed for this farm; nil where the folder keeps the artifacts.
    /// - Throws: ``StorageError`` when the service does not answer, or the bucket is another farm's.
    private func bucketArtifacts(of owner: String) async throws -> BucketArtifacts? {
        guard let ledger = configuration.store as? any ObjectLedger else { return nil }
        let name = configuration.bucket?.place ?? ArtifactBucket.folder
        let known = try await ledger.artifactPlace()
        guard known ?? name == name else { throw StorageError.elsewhere(known ?? "", named: name) }
        guard let place = configuration.bucket else {
            let settled = try await ledger.setArtifactPlace(name)
            guard settled == name else { throw StorageError.elsewhere(settled, named: name) }
            return nil
        }
        let bucket = BucketArtifacts(
            bucket: place.bucket,
            keys: ObjectKeys(prefix: place.prefix),
            ledger: ledger,
            now: configuration.now
        )
        try await bucket.claim(for: owner, isKnown: known != nil)
        let settled = try await ledger.setArtifactPlace(name)
        guard settled == name else { throw StorageError.elsewhere(settled, named: name) }
        return bucket
    }

    /// What removes stored bytes that nothing refers to.
    private func collector(_ collection: ArtifactCollection) -> any Service {
        if let bucket = collection.artifacts.bucket {
            return BucketCollector(
                bucket: bucket,
                interval: configuration.collectionInterval,
                uploadIdle: configuration.uploadIdle,
                clock: configuration.clock,
                logger: logger("collector")
            )
        }
        return ArtifactCollector(
            collection: collection,
            grace: configuration.artifactGrace,
            interval: configuration.collectionInterval,
            clock: configuration.clock,
            logger: logger("collector")
        )
    }

    /// The log of one part of the coordinator.
    private func logger(_ part: String) -> Logger {
        var logger = configuration.logger
        logger[metadataKey: "part"] = "\(part)"
        return logger
    }

    private func sourceService(
        _ settings: SourceSettings,
        _ artifacts: ArtifactStore,
        _ intake: AssetIntake
    ) -> SourceService {
        let fetcher = SourceFetcher(
            store: configuration.store,
            artifacts: artifacts,
            intake: intake,
            settings: settings,
            space: configuration.spaceWatch,
            client: CurlClient(largestIdle: settings.lanes),
            clock: configuration.clock,
            logger: logger("sources")
        )
        return SourceService(
            store: configuration.store,
            artifacts: artifacts,
            fetcher: fetcher,
            settings: settings,
            clock: configuration.clock,
            logger: logger("sources")
        )
    }

    /// What sends webhooks; nil for a coordinator that may send to no host.
    private func webhookSender() -> WebhookSender? {
        guard let hosts = configuration.webhookHosts, !hosts.isEmpty,
            let store = configuration.store as? any WebhookStore
        else { return nil }
        return WebhookSender(
            store: store,
            transport: WebhookTransport(allowed: hosts, resolve: configuration.resolveHost),
            clock: configuration.clock,
            logger: logger("webhooks")
        )
    }

    private func stitchService(
        _ artifacts: ArtifactLibrary,
        _ shelved: ShelvedParts?,
        _ collection: ArtifactCollection,
        _ dispatcher: LeaseDispatcher,
        _ versions: RendererVersions,
        _ metrics: FarmMetrics,
        _ traces: JobTraces
    ) -> StitchService {
        let executor = StitchExecutor(
            store: configuration.store,
            artifacts: artifacts,
            shelved: shelved,
            collection: collection,
            space: configuration.spaceWatch,
            renderer: configuration.renderer,
            clock: configuration.clock,
            metrics: metrics,
            traces: traces,
            logger: logger("stitch")
        )
        return StitchService(
            store: configuration.store,
            dispatcher: dispatcher,
            executor: executor,
            versions: versions,
            lanes: configuration.stitchLanes,
            name: WorkerName.standard(),
            clock: configuration.clock,
            logger: logger("stitch")
        )
    }

    /// Makes the server's builder, with TLS when it is configured.
    /// - Throws: ``CredentialsError`` when the certificate or its key cannot be used.
    private func server() throws(CredentialsError) -> HTTPServerBuilder {
        let limits = configuration.limits
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionGuard(limits: limits)],
            idleTimeout: limits.idle
        )
        guard let files = configuration.tls else { return .http1(configuration: http) }
        let context = try ServerContext(certificateFile: files.certificate, keyFile: files.privateKey)
        return HTTPServerBuilder { responder in
            SecureHTTPChannel(
                plain: HTTP1Channel(responder: responder, configuration: http),
                context: context,
                handshakeTimeout: limits.handshake
            )
        }
    }
}
