public import Client
public import Sandbox

/// The settings of one worker process.
public struct WorkerConfiguration: Sendable {
    /// The coordinator that the worker works for.
    public var connection: CoordinatorConnection
    /// The name shown in lists. Unique names help people, nothing else.
    public var name: String
    /// The number of tasks at a time, each on one core.
    public var slots: Int
    /// The folder of fetched sources, shared by all workers of a host.
    public var cacheFolder: String
    /// The bytes that the cache may take before what is unused is thrown away.
    public var cacheLimit: Int64
    /// Runs render processes.
    public var process: RenderProcess
    /// The time after SIGTERM for which work in hand may go on before it is handed back.
    public var drainLimit: Duration

    /// Makes a configuration; by default a worker has one slot and a cache of 50 GiB.
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
