import Client
import CompositionModel
import Foundation
import Sandbox
import Storage
import Synchronization
import WireProtocol

/// Does the work of one grant: it fetches the sources' records, runs the render child, and hashes the artifact.
struct TaskExecutor: Sendable {
    let connection: CoordinatorConnection
    let assets: SourceCache
    let readings: ReadingCache
    let process: RenderProcess
    /// Gives the folder for this worker's unfinished work.
    let scratch: @Sendable () throws -> String

    /// The artifact of a task, waiting to be uploaded. ``discard()`` removes its folder.
    struct Product: Sendable {
        let folder: String
        let path: String
        let digest: ContentDigest
        let byteCount: Int64
        let unitCount: Int64
        let statistics: TaskStatistics

        /// Removes the artifact and everything beside it.
        func discard() { try? FileManager.default.removeItem(atPath: folder) }

        /// What the log says of it.
        var sentence: String {
            let (cost, mebi) = (statistics, Double(1 << 20))
            let memory = "\(Int((Double(cost.peakMemoryBytes) / mebi).rounded())) MiB of memory"
            let fetched = "\(Int((Double(cost.fetchedBytes) / mebi).rounded())) MiB fetched"
            return "rendered \(unitCount) frames or samples, \(byteCount) bytes, in \(cost.wallMilliseconds) ms "
                + "(\(cost.cpuMilliseconds) ms of processor time, \(memory), \(fetched))"
        }
    }

    /// Does the work of a grant.
    /// - Parameters:
    ///   - onLine: takes each line that the render process says.
    ///   - onProgress: takes the progress in thousandths.
    /// - Throws: `RenderFailed`, `CachedAsset.BlockError`, `ClientError`, `CocoaError` or `StorageError` when no folder
    ///   can be made, or `CancellationError`; nothing stays on disk.
    func execute(
        _ grant: LeaseGrant,
        onLine: @escaping @Sendable (String) -> Void = { _ in },
        onProgress: @escaping @Sendable (Int) -> Void
    ) async throws -> Product {
        let folder = try scratch() + "/" + grant.attempt.description
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            return try await render(grant, in: folder, onLine: onLine, onProgress: onProgress)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    private func render(
        _ grant: LeaseGrant,
        in folder: String,
        onLine: @escaping @Sendable (String) -> Void,
        onProgress: @escaping @Sendable (Int) -> Void
    ) async throws -> Product {
        let sources = try await assets.sources(of: grant.payload.assets)
        let readings = grant.payload.needsReadings ? try await readings.write(for: grant, into: folder) : []
        let output = folder + "/artifact"
        let traffic = TrafficCounter()
        let refused = Mutex<[Int: Failure]>([:])
        let outcome = try await process.run(
            request(grant.payload, sources: sources.map(\.file), readings: readings, output: output, folder: folder),
            within: RenderLimits(rendering: grant, sources: sources.map(\.file)),
            readable: sources.flatMap(\.readablePaths),
            writable: [folder],
            onNeed: { [connection] source, block in
                // The child is not trusted: damaged media may have taken it over.
                guard sources.indices.contains(source) else {
                    return .unexpected("The render process asked for source \(source), which the task does not have.")
                }
                return await sources[source].provide(block, from: connection, counting: traffic)
            },
            onProgress: onProgress,
            onStill: { position, failure in
                if let failure { refused.withLock { $0[position] = failure } }
            },
            onLine: onLine
        )
        guard case .artifact(let unitCount) = outcome.result else {
            throw RenderFailed(.unexpected("The render process answered something else than an artifact."))
        }
        if case .stills(let task) = grant.payload, task.order.sheet == nil {
            try StillPacking(folder: folder, frames: task.order.frames).write(to: output, refused.withLock(\.self))
        }
        if case .measure(let task) = grant.payload { try await MeasuredFile(path: output).check(task, after: readings) }
        if case .picture = grant.payload { try SpoiltPart.spoil(output) }
        let (digest, byteCount) = try await FileDigest.of(output)
        var statistics = outcome.statistics
        statistics.fetchedBytes = traffic.bytes
        return Product(
            folder: folder,
            path: output,
            digest: digest,
            byteCount: byteCount,
            unitCount: unitCount,
            statistics: statistics
        )
    }

    private func request(
        _ payload: TaskPayload,
        sources: [SourceFile],
        readings: [[String]],
        output: String,
        folder: String
    ) throws -> RenderRequest {
        switch payload {
        case .picture(let task): .picture(PictureRequest(task: task, sources: sources, output: output))
        case .sound(let task):
            .sound(
                SoundRequest(task: task, sources: sources, readings: readings, output: output, scratchFolder: folder)
            )
        case .stills(let task): StillPacking.request(task, sources: sources, output: output, folder: folder)
        case .measure(let task):
            .measure(
                MeasureRequest(
                    task: task,
                    sources: sources,
                    readings: readings,
                    scratchFolder: folder,
                    output: output
                )
            )
        case .stitch: throw RenderFailed(.unexpected("Stitching is a coordinator's task; a worker cannot do it."))
        }
    }
}

extension Failure {
    /// The failure that only a defect or a damaged answer causes; another worker tries the task.
    static func unexpected(_ message: String) -> Failure {
        Failure(code: "unexpected", message: message, isPermanent: false)
    }
}
