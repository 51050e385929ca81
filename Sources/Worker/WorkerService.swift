import Client
import CompositionModel
import Foundation
package import Logging
import Planning
import Sandbox
import ServiceLifecycle
import Storage
import WireProtocol

/// A worker: it registers, takes leases and renders until it is told to leave.
package struct WorkerService: Service {
    private let configuration: WorkerConfiguration
    private let logger: Logger

    /// Describes a worker; ``run()`` starts it.
    package init(_ configuration: WorkerConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Works until the worker has said goodbye, after SIGTERM or when its coordinator drained it. Cancelling the task
    /// breaks the work off without a goodbye; no render process of it runs any more when this returns.
    /// - Throws: ``WorkerRefused`` when the coordinator refuses the worker; `RenderFailed` when the render program is
    ///   missing or cannot start; `CocoaError` or `StorageError` when the cache folder cannot be made.
    package func run() async throws {
        let work = try WorkFolder(in: configuration.cacheFolder)
        defer { work.remove() }
        let logs = AttemptLogs()
        let registration = try await registration()
        let loop = WorkLoop(
            slots: configuration.slots,
            session: CoordinatorSession(
                connection: configuration.connection,
                registration: registration,
                ownFolder: configuration.cacheFolder,
                logs: logs,
                logger: logger,
                gauge: MachineGauge(clock: configuration.connection.clock)
            ),
            executor: TaskExecutor(
                connection: configuration.connection,
                assets: try SourceCache(
                    connection: configuration.connection,
                    cacheRoot: configuration.cacheFolder,
                    cacheLimit: configuration.cacheLimit
                ),
                readings: ReadingCache(connection: configuration.connection),
                process: configuration.process,
                scratch: { try work.path() }
            ),
            probing: ProbeLoop(
                connection: configuration.connection,
                registration: registration,
                process: configuration.process,
                scratch: { try work.path() },
                logger: logger
            ),
            logs: logs,
            clock: configuration.connection.clock,
            logger: logger
        )
        let drainLimit = configuration.drainLimit
        try await withGracefulShutdownHandler {
            try await loop.run()
        } onGracefulShutdown: {
            Task { await loop.leave(within: drainLimit) }
        }
    }

    /// The registration with the versions that the render program reports.
    /// - Throws: `RenderFailed` when the program cannot start, or is of another version than this one.
    private func registration() async throws -> WorkerRegistration {
        let installed = configuration.installed ?? InstalledRenderer(configuration.process)
        let versions = try await installed.versions()
        guard versions.renderer == Renderer.version else {
            let message =
                "cutfarm-render is of renderer \(versions.renderer) and cutfarm of \(Renderer.version); install both from one build."
            throw RenderFailed(Failure(code: "version_mismatch", message: message, isPermanent: true))
        }
        return WorkerRegistration(
            name: configuration.name,
            kinds: [.picture, .sound, .stills, .measure],
            slots: configuration.slots,
            rendererVersion: versions.renderer,
            libraries: versions.libraries,
            machine: configuration.machine,
            tags: configuration.tags,
            memoryBytes: Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        )
    }
}
