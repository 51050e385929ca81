package import Client
package import Sandbox

/// The settings of one worker.
package struct WorkerConfiguration: Sendable {
    /// The coordinator that the worker works for.
    package var connection: CoordinatorConnection
    /// The worker's name in lists. It need not be unique.
    package var name: String
    /// The name of the machine that it runs on: workers with one name of it do not audit each other.
    package var machine: String?
    /// Its tags, which jobs may require.
    package var tags: [String]
    /// The number of tasks that run at a time, each on one core; at least 1.
    package var slots: Int
    /// The folder of fetched sources, which all workers of a host may share.
    package var cacheFolder: String
    /// The bytes that the cache may hold before unused sources are removed.
    package var cacheLimit: Int64
    /// Runs render processes.
    package var process: RenderProcess
    /// Knows the versions of ``process``, where others in this process ask for them too; nil asks by itself.
    package var installed: InstalledRenderer?
    /// The time that running tasks may take after SIGTERM before they are handed back.
    package var drainLimit: Duration

    /// Makes a configuration; by default a worker has one slot and a cache of 50 GiB.
    package init(
        connection: CoordinatorConnection,
        name: String,
        machine: String? = nil,
        tags: [String] = [],
        slots: Int = 1,
        cacheFolder: String,
        cacheLimit: Int64 = 50 << 30,
        process: RenderProcess = RenderProcess(),
        drainLimit: Duration = .seconds(8)
    ) {
        self.connection = connection
        self.name = name
        self.machine = machine
        self.tags = tags
        self.slots = slots
        self.cacheFolder = cacheFolder
        self.cacheLimit = cacheLimit
        self.process = process
        self.drainLimit = drainLimit
    }
}
