package import Farm
package import Foundation
package import Logging
package import Sandbox
package import Storage
package import WireProtocol

/// The settings of a coordinator. They are validated when the service starts.
package struct CoordinatorConfiguration: Sendable {
    /// The files of a certificate chain and its private key, as PEM.
    package struct TLSFiles: Sendable {
        /// The path of the certificate chain.
        package var certificate: String
        /// The path of the private key.
        package var privateKey: String

        /// Names the two files.
        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The address or name of the interface to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes any free one, which ``onReady`` says.
    package var port = 7411
    /// The names and addresses by which clients may ask, without ports; empty allows any.
    package var allowedHosts: [String] = []
    /// The certificate for HTTPS; nil serves HTTP.
    package var tls: TLSFiles?
    /// The links that sign a browser in once; nil for none.
    package var signInLinks: SignInLinks?
    /// Whether `/metrics` needs no token.
    package var opensMetrics = false
    /// The tokens that the coordinator knows.
    package var tokens: TokenBook
    /// The farm's jobs, tasks, leases and workers.
    package var store: any FarmStore
    /// The folder of the artifact store.
    package var artifactRoot: String
    /// Where artifacts are kept for good instead of in ``artifactRoot``, which holds copies then; nil for there.
    package var bucket: ArtifactBucket?
    /// Runs render processes that probe assets and join movies.
    package var renderer: RenderProcess
    /// Knows the versions of ``renderer``, where others in this process ask for them too; nil asks by itself.
    package var installed: InstalledRenderer?
    /// The folders from which clients on this host may register files without sending them.
    package var allowedRoots: [String] = []
    /// What is fetched from elsewhere for clients who name an address; nil for nothing.
    package var sources: SourceSettings?
    /// The folders into which finished movies are put by name.
    package var outputFolders = OutputFolders()
    /// The number of outputs that are joined at a time.
    package var stitchLanes = 1
    /// The number of previews that are made at a time, each by a process of its own.
    package var previewLanes = 2
    /// The number of previews that are made for one owner, or wait to be made, at a time; also that of timelines.
    package var previewsPerOwner = 32
    /// The most bytes of previews that are kept while the coordinator runs.
    package var previewLimit: Int64 = 1 << 30
    /// The number of submissions of one owner that are received, planned and stored at a time.
    package var submissionsPerOwner = 8
    /// The bytes of submissions that are in memory at a time, from before a body is read until its job is stored. Half
    /// of them is the most for one owner, and at least the largest submission.
    package var submissionByteCount = 2 * BodyLimit.submission
    /// The most bytes that one uploaded asset or artifact may have.
    package var largestUpload: Int64 = 1 << 40
    /// What one owner may have of uploads that were cut and are not complete yet.
    package var unfinishedUploads = OwnerUploads.Limits(count: 256, byteCount: 1 << 40)
    /// The time without a byte after which an upload that is not complete is forgotten.
    package var uploadIdle: Duration = .seconds(86_400)
    /// Other folders than ``artifactRoot`` whose disks must have room, such as the database's.
    package var watchedFolders: [String] = []
    /// Tells the room where a folder lies; nil counts as room enough.
    package var space: @Sendable (String) -> DiskSpace? = { DiskSpace.of($0) }
    /// The time without a change after which stored bytes that nothing refers to are removed. It is longer than an
    /// upload and its completion may be apart.
    package var artifactGrace: Duration = .seconds(3600)
    /// The time between two searches for stored bytes that nothing refers to.
    package var collectionInterval: Duration = .seconds(600)
    /// The most bytes that the parts of ended jobs may have; 0 keeps none.
    package var partsLimit: Int64 = 20_000_000_000
    /// The parts that this farm has in common with others that have no database; nil for none.
    package var partShelf: PartShelf?
    /// What farms without a database have in common about sources on this machine; nil for nothing.
    package var sourceMemory: SourceMemory?
    /// The time between two looks at the room that parts take.
    package var partsInterval: Duration = .seconds(5)
    /// The time between two removals of what ended jobs may not keep.
    package var pruningInterval: Duration = .seconds(10)
    /// The time to compile and plan one submission.
    package var planningTime: Duration = .seconds(60)
    /// The time to probe an asset, as elapsed and as processor time; one second is added per 8 MiB.
    package var probeTime: Duration = RenderLimits.probeTime
    /// The time after a job's end when its events and attempts are removed; nil keeps them.
    package var retention: Duration? = .seconds(30 * 86_400)
    /// The finished movies that are kept; more are removed once an hour.
    package var keptMovies = KeptAmount()
    /// The assets that are kept although no unfinished job needs them; more are removed once an hour.
    package var keptAssets = KeptAmount()
    /// Where traces are exported, such as `http://127.0.0.1:4318/v1/traces`; nil exports none.
    package var otlpEndpoint: String?
    /// The hosts to which webhooks are sent; none sends none.
    package var webhookHosts: WebhookAllowList?
    /// Looks up the names of webhooks' hosts. Tests answer by themselves.
    package var resolveHost: @Sendable (_ host: String) async throws -> [String] = SystemResolver.addresses
    /// The silence after which an event stream sends a comment.
    package var eventHeartbeat: Duration = .seconds(15)
    /// The time after which every waiting request looks again, whether or not a change was announced.
    package var tick: Duration = .seconds(1)
    /// The time that a graceful shutdown takes at most; what is still open then is broken off.
    package var shutdownLimit: Duration = .seconds(4)
    /// The times that a client may take.
    package var limits = ConnectionLimits()
    /// The clock by which the coordinator waits and measures. Tests turn one of their own.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The time of day, by which sessions of the dashboard end.
    package var now: @Sendable () -> Date = { Date() }
    /// Called with the port once requests are served.
    package var onReady: @Sendable (Int) -> Void = { _ in }
    /// The log of everything that the coordinator does.
    package var logger: Logger

    /// Makes a configuration with the defaults of every other setting.
    package init(
        store: any FarmStore,
        artifactRoot: String,
        tokens: TokenBook,
        renderer: RenderProcess = RenderProcess(),
        logger: Logger = Logger(label: "coordinator") { JSONLogHandler(label: $0) }
    ) {
        self.store = store
        self.artifactRoot = artifactRoot
        self.tokens = tokens
        self.renderer = renderer
        self.logger = logger
    }
}

extension CoordinatorConfiguration {
    /// The watch of the room on the coordinator's disks.
    var spaceWatch: SpaceWatch { SpaceWatch(artifactRoot: artifactRoot, others: watchedFolders, read: space) }
}
