public import Client
public import Sandbox

/// How one worker process runs.
public struct WorkerConfiguration: Sendable {
    public var connection: CoordinatorConnection
    /// Shown in lists; unique names help people, nothing else.
    public var name: String
    /// Tasks at a time, each on one core.
    public var slots: Int
    /// Folder of fetched sources, shared by all workers of a host.
    public var cacheFolder: String
    /// Bytes that the cache may take before what is unused is thrown away.
    public var cacheLimit: Int64
    public var process: RenderProcess
    /// After SIGTERM: how long work in hand may go on before it is handed back.
    public var drainLimit: Duration

    public init(
        connection: CoordinatorConnection,
        name: String,
        slots: Int = 1,
        cacheFolder: String,
        cacheLimit: Int64 = 50 << 30,
        process: RenderProcess = RenderProcess(),
        drainLimit: Duration = .seconds(8)
    ) {
        self.connection = connection
        self.name = name
        self.slots = slots
        self.cacheFolder = cacheFolder
        self.cacheLimit = cacheLimit
        self.process = process
        self.drainLimit = drainLimit
    }
}
