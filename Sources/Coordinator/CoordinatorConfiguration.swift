public import Farm
import Foundation
public import Logging
public import Sandbox

/// The settings of a coordinator. They are validated when the service starts.
public struct CoordinatorConfiguration: Sendable {
    /// The files of a certificate chain and its private key, as PEM.
    public struct TLSFiles: Sendable {
        /// The path of the certificate chain.
        public var certificate: String
        /// The path of the private key.
        public var privateKey: String

        /// Names the two files.
        public init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// The address or name of the interface to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes any free one, which ``onReady`` says.
    public var port = 7411
    /// The certificate for HTTPS; nil serves HTTP.
    public var tls: TLSFiles?
    /// The tokens that the coordinator knows.
    public var tokens: TokenBook
    /// The farm's jobs, tasks, leases and workers.
    public var store: any FarmStore
    /// The folder of the artifact store.
    public var artifactRoot: String
    /// Runs render processes that probe assets and join movies.
    public var renderer: RenderProcess
    /// The folders from which clients on this host may register files without sending them.
    public var allowedRoots: [String] = []
    /// The number of outputs that are joined at a time.
    public var stitchLanes = 1
    /// The most bytes that one uploaded asset or artifact may have.
    public var largestUpload: Int64 = 1 << 40
    /// The time without a change after which stored bytes that nothing refers to are removed. It is longer than an
    /// upload and its completion may be apart.
    public var artifactGrace: Duration = .seconds(3600)
    /// The time between two searches for stored bytes that nothing refers to.
    public var collectionInterval: Duration = .seconds(600)
    /// The time to probe an asset, as elapsed and as processor time; one second is added per 8 MiB.
    public var probeTime: Duration = .seconds(120)
    /// The time after a job's end when its events and attempts are removed; nil keeps them.
    public var retention: Duration? = .seconds(30 * 86_400)
    /// The silence after which an event stream sends a comment.
    public var eventHeartbeat: Duration = .seconds(15)
    /// The time after which every waiting request looks again, whether or not a change was announced.
    public var tick: Duration = .seconds(1)
    /// The time that a graceful shutdown takes at most; what is still open then is broken off.
    public var shutdownLimit: Duration = .seconds(4)
    /// The times that a client may take.
    public var limits = ConnectionLimits()
    /// Called with the port once requests are served.
    public var onReady: @Sendable (Int) -> Void = { _ in }
    /// The log of everything that the coordinator does.
    public var logger: Logger

    /// Makes a configuration with the defaults of every other setting.
    public init(
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
