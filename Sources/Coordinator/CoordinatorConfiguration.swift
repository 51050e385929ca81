public import Farm
import Foundation
public import Logging
public import Sandbox

/// What a coordinator needs to know at its start.
public struct CoordinatorConfiguration: Sendable {
    /// Files of a certificate chain and its private key, as PEM.
    public struct TLSFiles: Sendable {
        public var certificate: String
        public var privateKey: String

        public init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    public var host = "127.0.0.1"
    /// 0: any free one; ``onReady`` says which.
    public var port = 7411
    public var tls: TLSFiles?
    public var tokens: TokenBook
    public var store: any FarmStore
    /// Folder of the artifact store.
    public var artifactRoot: String
    public var renderer: RenderProcess
    /// Folders from which clients on this host may register files without sending them.
    public var allowedRoots: [String] = []
    /// Outputs joined at a time.
    public var stitchLanes = 1
    /// Bytes one uploaded asset or artifact may have.
    public var largestUpload: Int64 = 1 << 40
    /// Stored bytes that nothing refers to are removed when they have not changed for so long. Longer than an upload
    /// and its completion may be apart.
    public var artifactGrace: Duration = .seconds(3600)
    /// How often that is looked for.
    public var collectionInterval: Duration = .seconds(600)
    /// Time to probe an asset, on the clock and of a processor; a second more for every 8 MiB.
    public var probeTime: Duration = .seconds(120)
    /// Events and attempts of a job are removed so long after its end; nil keeps them.
    public var retention: Duration? = .seconds(30 * 86_400)
    /// Silence after which an event stream sends a comment.
    public var eventHeartbeat: Duration = .seconds(15)
    /// How often everybody who waits looks again, whether or not a change was announced.
    public var tick: Duration = .seconds(1)
    public var limits = ConnectionLimits()
    /// Called with the port once requests are served.
    public var onReady: @Sendable (Int) -> Void = { _ in }
    public var logger: Logger

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
