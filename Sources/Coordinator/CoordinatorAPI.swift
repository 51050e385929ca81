import Logging
import Storage

/// The HTTP interface of a coordinator: every group of routes, with what it works on.
struct CoordinatorAPI {
    let configuration: CoordinatorConfiguration
    let artifacts: ArtifactLibrary
    /// Whether workers may send artifacts to the farm's bucket themselves.
    let workersSend: Bool
    let collection: ArtifactCollection
    let shelved: ShelvedParts?
    let tokens: KnownTokens
    let sessions: SessionSigner
    let hub: ChangeHub
    let dispatcher: LeaseDispatcher
    /// Gives workers what clients sent to the farm's bucket; nil where there is none.
    let probing: ProbeDispatcher?
    /// Sees whether the farm's bucket answers; nil where there is none.
    let bucketWatch: BucketWatch?
    let versions: RendererVersions
    let metrics: FarmMetrics
    let traces: JobTraces
    /// The log of requests, and that of assets.
    let logger: Logger
    let assetLogger: Logger

    private var hold: FarmHold { FarmHold(space: configuration.spaceWatch, bucket: bucketWatch) }

    /// The table of all routes. Other methods of known addresses are refused.
    func routes() -> RouteTable {
        let table = RouteTable(middlewares: [
            AnswerMiddleware(
                hosts: AllowedHosts(configuration.allowedHosts),
                metrics: metrics,
                clock: configuration.clock,
                logger: logger
            ),
            AuthenticationMiddleware(
                tokens: tokens,
                sessions: sessions,
                store: configuration.store,
                now: configuration.now
            ),
        ])
        for group in groups { group.add(to: table) }
        table.refuseOtherMethods()
        return table
    }

    private var groups: [any RouteGroup] {
        let store = configuration.store
        let pool = PlanningPool(limit: configuration.planningTime, clock: configuration.clock)
        let deliveries = DeliveryPlanning(folders: configuration.outputFolders, clock: configuration.clock)
        let planning = JobPlanning(store: store, artifacts: artifacts, pool: pool, deliveries: deliveries)
        let space = configuration.spaceWatch
        let intake = self.intake
        let resuming = UploadRoutes(
            artifacts: artifacts.folder,
            intake: intake,
            resumable: ResumableReceiver(
                artifacts: artifacts.folder,
                limit: configuration.largestUpload,
                limits: configuration.unfinishedUploads,
                space: space,
                hashing: intake.hashing
            ),
            idle: configuration.uploadIdle
        )
        let uploads = UploadReceiver(artifacts: artifacts.folder, limit: configuration.largestUpload, space: space)
        let names = WorkerNames(store: store)
        let calls = WorkerCalls(store: store, clock: configuration.clock)
        let submissions = OwnerCounter(limit: configuration.submissionsPerOwner)
        let memory = ByteBudget(
            total: configuration.submissionByteCount,
            share: configuration.submissionByteCount / 2,
            clock: configuration.clock
        )
        return [
            HealthRoutes(store: store, artifacts: artifacts, space: space),
            SessionRoutes(
                tokens: tokens,
                sessions: sessions,
                store: store,
                links: configuration.signInLinks,
                isTLS: configuration.tls != nil,
                now: configuration.now
            ),
            JobRoutes(
                store: store,
                planning: planning,
                versions: versions,
                shelved: shelved,
                webhooks: webhooks,
                clock: configuration.clock,
                hold: hold,
                submissions: submissions,
                memory: memory,
                logger: logger
            ),
            JobInsightRoutes(
                store: store,
                drawing: TrackDrawing(
                    store: store,
                    pool: pool,
                    memory: memory,
                    owners: OwnerCounter(limit: configuration.previewsPerOwner)
                ),
                histories: ThroughputHistories(store: store, clock: configuration.clock)
            ),
            ReportRoutes(store: store, outlook: JobOutlook(store: store, hold: hold)),
            EditRoutes(planning: planning, submissions: submissions, memory: memory),
            EventRoutes(
                store: store,
                tokens: tokens,
                hub: hub,
                heartbeat: configuration.eventHeartbeat,
                clock: configuration.clock,
                now: configuration.now
            ),
            OutputRoutes(store: store, artifacts: artifacts),
            PreviewRoutes(store: store, layouts: OutputLayouts(store: store), making: making(space)),
            BlocklistRoutes(store: store, logger: logger),
            WorkerRoutes(
                store: store,
                versions: versions,
                probes: probing != nil,
                calls: calls,
                names: names,
                metrics: metrics,
                logger: logger
            ),
            LeaseRoutes(
                store: store,
                calls: calls,
                artifacts: artifacts,
                tokens: tokens,
                dispatcher: dispatcher,
                versions: versions,
                shelved: shelved,
                metrics: metrics,
                names: names,
                traces: traces,
                logger: logger
            ),
            RetentionRoutes(
                retention: (store as? any RetentionStore).map { Retention(store: $0, collection: collection) },
                logger: logger
            ),
            WebhookRoutes(webhooks: webhooks, logger: logger),
            TokenRoutes(tokens: tokens, logger: logger),
            LogRoutes(store: store, pace: LogPace(clock: configuration.clock)),
            MetricsRoutes(
                metrics: metrics,
                tally: SharedTally(store: store, clock: configuration.clock),
                space: space,
                artifacts: artifacts.folder,
                isOpen: configuration.opensMetrics
            ),
            PartRoutes(store: store, collection: collection, logger: logger),
            AssetRoutes(
                store: store,
                artifacts: artifacts,
                intake: intake,
                uploads: uploads,
                resuming: resuming,
                roots: AllowedRoots(configuration.allowedRoots),
                logger: logger
            ),
            resuming,
            BucketUploadRoutes(intake: bucketIntake),
            ProbeRoutes(
                intake: bucketIntake,
                dispatcher: probing,
                admission: WorkerAdmission(store: store, versions: versions)
            ),
            SourceRoutes(store: store, settings: configuration.sources, logger: assetLogger),
            ArtifactRoutes(artifacts: artifacts, uploads: uploads, workersSend: workersSend, logger: logger),
            DashboardRoutes(),
            OpenAPIRoutes(),
        ]
    }

    private var webhooks: JobWebhooks {
        JobWebhooks(store: configuration.store as? any WebhookStore, allowed: configuration.webhookHosts)
    }

    private func making(_ space: SpaceWatch) -> PreviewMaking {
        PreviewMaking(
            artifacts: artifacts,
            renderer: configuration.renderer,
            space: space,
            shelf: PreviewShelf(
                artifacts: artifacts.folder,
                turns: PreviewTurns(places: configuration.previewLanes),
                owners: OwnerCounter(limit: configuration.previewsPerOwner),
                clock: configuration.clock,
                limit: configuration.previewLimit
            )
        )
    }

    /// Takes in what clients send to the farm's bucket; nil where there is none.
    private var bucketIntake: BucketIntake? {
        guard probing != nil, let bucket = artifacts.bucket,
            let ledger = configuration.store as? any BucketUploadLedger
        else { return nil }
        return BucketIntake(
            bucket: bucket,
            ledger: ledger,
            intake: intake,
            limit: configuration.largestUpload,
            limits: configuration.unfinishedUploads,
            clock: configuration.clock,
            logger: assetLogger
        )
    }

    /// Takes in what arrived.
    var intake: AssetIntake {
        AssetIntake(
            store: configuration.store,
            artifacts: artifacts,
            renderer: configuration.renderer,
            memory: configuration.sourceMemory,
            probeTime: configuration.probeTime,
            clock: configuration.clock,
            logger: assetLogger
        )
    }
}
