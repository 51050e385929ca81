import Client
import CompositionModel
import Farm
import Foundation
import Sandbox
import Storage
import Threads
import WireProtocol

/// The sources that a worker has fetched: it fetches records and frame indexes once, and keeps cache files open while
/// they are used.
actor SourceCache {
    private let connection: CoordinatorConnection
    private let cache: BlockCache
    /// The folder of the frame indexes, which are named by digest.
    private let indexFolder: String
    private var records: [ContentDigest: AssetRecord] = [:]

    /// Makes the cache's folders.
    /// - Parameters:
    ///   - cacheRoot: A folder that all workers of a host may share.
    ///   - cacheLimit: The most bytes that cached blocks may take.
    /// - Throws: `CocoaError` when a folder cannot be made.
    init(connection: CoordinatorConnection, cacheRoot: String, cacheLimit: Int64) throws {
        self.connection = connection
        cache = try BlockCache(.init(root: cacheRoot + "/blocks", limit: cacheLimit))
        indexFolder = cacheRoot + "/indexes"
        try FileManager.default.createDirectory(atPath: indexFolder, withIntermediateDirectories: true)
    }

    /// Opens the sources of a task.
    /// - Returns: the sources in the order of `digests`.
    /// - Throws: `RenderFailed` when the coordinator refuses or other bytes arrive, `BlockError` when
    ///   a cache file cannot be opened, `CocoaError` when an index cannot be written; `CancellationError`.
    func sources(of digests: [ContentDigest]) async throws -> [OpenSource] {
        var sources: [OpenSource] = []
        for digest in digests {
            let record: AssetRecord
            var indexes: [Int: String] = [:]
            do {
                record = try await self.record(of: digest)
                for (stream, artifact) in record.frameIndexes { indexes[stream] = try await index(artifact) }
            } catch let error as ClientError {
                throw RenderFailed(Failure(describing: error, about: digest))
            }
            let asset = try await DedicatedThread.run { [cache] in try cache.open(record) }
            sources.append(OpenSource(asset: asset, indexes: indexes))
        }
        return sources
    }

    private func record(of digest: ContentDigest) async throws -> AssetRecord {
        if let known = records[digest] { return known }
        let record = try await patiently(on: connection.clock) { try await connection.record(of: digest) }
        records[digest] = record
        return record
    }

    /// The local file of a frame index, whose bytes are checked against its digest.
    private func index(_ digest: ContentDigest) async throws -> String {
        let path = indexFolder + "/" + digest.hex
        let isThere = await DedicatedThread.run {
            FileManager.default.contents(atPath: path).map { ContentDigest(of: $0) == digest } ?? false
        }
        if isThere { return path }
        let data = try await connection.verifiedArtifact(digest, called: "frame index")
        try await DedicatedThread.run { [indexFolder] in
            // A cache is sometimes emptied by hand.
            try FileManager.default.createDirectory(atPath: indexFolder, withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        return path
    }
}
