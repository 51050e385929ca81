import Client
import Farm
import Foundation
import Sandbox
import CompositionModel
import WireProtocol
import Storage

/// The sources a worker has at hand: records and frame indexes fetched once, cache files open while they are used.
actor AssetShelf {
    private let connection: CoordinatorConnection
    private let cache: BlockCache
    /// Folder of frame indexes, named by digest.
    private let indexFolder: String
    private var records: [ContentDigest: AssetRecord] = [:]

    init(connection: CoordinatorConnection, cacheRoot: String, cacheLimit: Int64) throws {
        self.connection = connection
        cache = try BlockCache(.init(root: cacheRoot + "/blocks", limit: cacheLimit))
        indexFolder = cacheRoot + "/indexes"
        try FileManager.default.createDirectory(atPath: indexFolder, withIntermediateDirectories: true)
    }

    /// In the order of `digests`.
    func sources(of digests: [ContentDigest]) async throws -> [OpenSource] {
        var sources: [OpenSource] = []
        for digest in digests {
            let record = try await record(of: digest)
            var indexes: [Int: String] = [:]
            for (stream, artifact) in record.frameIndexes { indexes[stream] = try await index(artifact) }
            let asset = try await OwnThread.run { [cache] in try cache.open(record) }
            sources.append(OpenSource(asset: asset, indexes: indexes))
        }
        return sources
    }

    private func record(of digest: ContentDigest) async throws -> AssetRecord {
        if let known = records[digest] { return known }
        let record = try await patiently { try await connection.record(of: digest) }
        records[digest] = record
        return record
    }

    /// The local file of a frame index, checked against its digest.
    private func index(_ digest: ContentDigest) async throws -> String {
        let path = indexFolder + "/" + digest.hex
        let isThere = await OwnThread.run {
            FileManager.default.contents(atPath: path).map { ContentDigest(of: $0) == digest } ?? false
        }
        if isThere { return path }
        let data = try await patiently { try await connection.artifact(digest) }
        try await OwnThread.run {
            guard ContentDigest(of: data) == digest else {
                throw RenderFailed(.unexpected("The frame index \(digest) arrived with other bytes."))
            }
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        return path
    }
}

/// Repeats a question while no answer comes: a coordinator that is restarted costs no attempt. The attempt's own
/// deadline ends it, by cancelling the task.
func patiently<Answer>(_ question: () async throws -> Answer) async throws -> Answer {
    var pause = 250
    while true {
        do {
            return try await question()
        } catch let error as ClientError {
            guard error.isTransient else { throw error }
        }
        try await Task.sleep(for: .milliseconds(pause))
        pause = min(2 * pause, 4000)
    }
}

/// One source of a running task.
struct OpenSource: Sendable {
    let asset: CachedAsset
    let indexes: [Int: String]

    var file: SourceFile {
        SourceFile(
            path: asset.path,
            byteCount: asset.record.byteCount,
            isComplete: false,
            frameIndexes: indexes,
            facts: asset.record.facts
        )
    }

    var readablePaths: [String] { [asset.path] + indexes.values }

    /// Makes `block` present in the cache file.
    /// - Returns: nil when it is there, else why it cannot be had.
    func provide(
        _ block: Int64,
        from connection: CoordinatorConnection,
        counting traffic: TrafficCounter
    ) async -> Failure? {
        if await OwnThread.run({ [asset] in asset.holds(block) }) { return nil }
        guard let range = asset.bytes(ofBlock: block) else {
            return .unexpected("The render process asked for block \(block), which the asset does not have.")
        }
        var last: Failure?
        for attempt in 0..<4 {
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(200 << attempt)) }
            do {
                let data = try await patiently { try await connection.block(range, of: asset.record.digest) }
                traffic.add(data.count)
                try await OwnThread.run { [asset] in try asset.store(data, asBlock: block) }
                return nil
            } catch let error as CachedAsset.BlockError {
                last = error.failure
            } catch let error as ClientError {
                let failure = Failure(describing: error)
                if failure.isPermanent { return failure }
                last = Failure(code: FarmFailure.assetUnavailable, message: failure.message, isPermanent: false)
            } catch {
                last = Failure(describing: error)
            }
        }
        return last
    }
}
