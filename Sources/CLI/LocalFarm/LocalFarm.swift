import Client
import Coordinator
import Farm
import Foundation
import Logging
import Sandbox
import ServiceLifecycle
import Storage
import Worker

/// A whole farm in this process, for as long as one command needs it: a coordinator with its store in memory, and
/// workers. They speak HTTP over loopback with tokens made for this run, as a coordinator and workers of different
/// machines do. Only the render processes are processes of their own.
struct LocalFarm: Sendable {
    /// The number of workers, each of which renders one task at a time.
    let workers: Int
    /// The folder below which the farm's own folder is made, and removed at the end.
    let stateFolder: String
    let allowUnsandboxed: Bool
    /// The most bytes that the parts of all runs may have below the state folder; 0 keeps none, and takes none.
    let partsLimit: Int64

    /// Starts the farm, calls `body`, stops the farm and removes everything that it stored.
    /// - Throws: The error that `body` throws; the error with which the coordinator or a worker ends;
    ///   `CancellationError`. No render process of the farm runs then.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value
    ) async throws -> Value {
        ScratchFolder.sweep(below: stateFolder, named: "run-")
        try allowManyFiles()
        let shelf = partsLimit > 0 ? try LocalParts.shelf(stateFolder: stateFolder) : nil
        try shelf?.prune(to: partsLimit, onDiskOf: stateFolder)
        // Once the run's own folder is gone, which may have been what filled the disk.
        defer { try? shelf?.prune(to: partsLimit, onDiskOf: stateFolder) }
        return try await run(sharing: shelf, body)
    }

    /// The same, with a folder that is gone when this returns.
    private func run<Value: Sendable>(
        sharing shelf: PartShelf?,
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value
    ) async throws -> Value {
        let folder = try ScratchFolder(below: stateFolder, named: "run-")
        defer { withExtendedLifetime(folder) {} }
        let memory = try? SourceMemory(root: stateFolder + "/sources")
        defer { memory?.prune(keptBefore: Date(timeIntervalSinceNow: -LocalFarm.secondsOfSources)) }
        let run = Run(
            folder: folder.path,
            process: RenderProcess(allowUnsandboxed: allowUnsandboxed),
            shelf: shelf,
            memory: memory
        )
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let coordinator = CoordinatorService(try run.coordinator { bound.yield($0) })
        return try await LocalFarm.serving(
            [{ try await ServiceGroup.runUntilCancelled([coordinator], logger: Run.logger) }]
        ) {
            // The ports end when this task is cancelled, also because the coordinator ended first: its error is the reason.
            guard let port = await ports.first(where: { _ in true }) else { throw LocalFarm.ended }
            let address = "http://127.0.0.1:\(port)"
            let connection = try CoordinatorConnection(baseURL: address, token: run.tokens.user)
            let services = try (1...workers).map { number in
                WorkerService(try run.worker(number, of: address), logger: Run.logger)
            }
            return try await LocalFarm.serving(services.map { service in { try await service.run() } }) {
                try await body(connection)
            }
        }
    }

    /// The seconds for which it is remembered what is in a source: 90 days.
    private static let secondsOfSources = 90.0 * 86_400

    /// The farm of a run is whole or nothing: nobody would wait for a part of it that is gone.
    private static var ended: any Error {
        guard !Task.isCancelled else { return CancellationError() }
        return CommandFailure(.internalError, "A part of the farm ended before its work was done.")
    }

    /// Lets this process open as many files as the system allows any: all workers' connections, sources and parts are
    /// open here, and many systems begin with a limit of 1,024.
    /// - Throws: ``CommandFailure`` when so many workers need more.
    private func allowManyFiles() throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let most = Int(clamping: limit.rlim_max) / LocalFarm.filesOfAWorker - 2
        guard workers > most else { return }
        let rule = "this system lets a process open \(limit.rlim_max) files (ulimit -n)"
        throw CommandFailure(.usage, "\(workers) workers are too many: \(rule), enough for \(max(1, most)).")
    }

    /// The files that a worker usually has open, its sockets at both ends among them; the coordinator has as many as two.
    /// With 1,024 files 128 workers were seen to work.
    private static let filesOfAWorker = 10

    /// Runs `services` for as long as `body` takes. When this returns, all have ended.
    /// - Throws: The first error of any of them, which cancels the others; ``CommandFailure`` when a service ends before
    ///   `body`; `CancellationError`.
    private static func serving<Value: Sendable>(
        _ services: [@Sendable () async throws -> Void],
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            for service in services {
                group.addTask {
                    try await service()
                    return nil
                }
            }
            group.addTask { try await body() }
            guard let ended = try await group.next(), let value = ended else { throw LocalFarm.ended }
            return value
        }
    }
}

/// What the parts of one run share.
private struct Run: Sendable {
    /// The folder of everything that the run stores.
    let folder: String
    let process: RenderProcess
    let shelf: PartShelf?
    let memory: SourceMemory?
    let tokens = RunTokens()
    private let installed: InstalledRenderer

    /// What matters to the user comes with the job; faults of the program itself go to standard error.
    static let logger = Logger(label: "cutfarm") { label in
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = .error
        return handler
    }

    init(folder: String, process: RenderProcess, shelf: PartShelf?, memory: SourceMemory?) {
        self.folder = folder
        self.process = process
        self.shelf = shelf
        self.memory = memory
        installed = InstalledRenderer(process)
    }

    /// The coordinator's settings.
    /// - Parameter onReady: called with the port once requests are served.
    /// - Throws: `TokenBook.Refused`.
    func coordinator(onReady: @escaping @Sendable (Int) -> Void) throws -> CoordinatorConfiguration {
        var policy = FarmPolicy()
        policy.retry.givesUpOnFullDisks = true
        policy.keepsParts = shelf != nil
        // All workers are this machine: what one could not do is no reason to go on without it.
        policy.blocklistAfter = .max
        var configuration = CoordinatorConfiguration(
            store: InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(), clock: .system),
            artifactRoot: folder + "/artifacts",
            tokens: try tokens.book(),
            renderer: process,
            logger: Run.logger
        )
        configuration.installed = installed
        configuration.partShelf = shelf
        configuration.sourceMemory = memory
        // What this run makes is the shelf's to limit.
        configuration.partsLimit = shelf == nil ? 0 : .max
        configuration.port = 0
        configuration.allowedHosts = ["127.0.0.1"]
        configuration.allowedRoots = ["/"]
        // Below a low-water mark the job would wait for somebody to make room.
        configuration.space = { _ in nil }
        configuration.onReady = onReady
        return configuration
    }

    /// The settings of a worker.
    /// - Parameter number: counted from 1.
    /// - Throws: `ClientError` when `address` is none.
    func worker(_ number: Int, of address: String) throws -> WorkerConfiguration {
        var configuration = WorkerConfiguration(
            connection: try CoordinatorConnection(baseURL: address, token: tokens.worker),
            name: "local-\(number)",
            cacheFolder: folder + "/cache",
            process: process
        )
        configuration.installed = installed
        return configuration
    }
}
