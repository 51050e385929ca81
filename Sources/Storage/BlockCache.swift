import CompositionModel
import Foundation
package import WireProtocol

/// Parts of assets that were fetched before, kept in sparse files and shared by all workers of a host.
///
/// A block counts as present only when its bytes have the digest that the asset's record gives: no map of what is there
/// has to be kept true over crashes, two workers may fetch the same block at once, and rot is found before it is used.
///
/// All calls block: they belong on a thread that may.
package final class BlockCache: Sendable {
    /// Where the cache is, and how large it may become.
    package struct Configuration: Sendable {
        /// The folder of the cache; it is made when it is missing.
        package var root: String
        /// The bytes on disk above which assets that nobody uses are thrown away, least recently used first.
        package var limit: Int64

        /// Describes a cache; by default it may take 50 GiB.
        package init(root: String, limit: Int64 = 50 << 30) {
            self.root = root
            self.limit = limit
        }
    }

    private let configuration: Configuration

    /// Opens the cache.
    /// - Throws: `CocoaError` when its folder cannot be made.
    package init(_ configuration: Configuration) throws {
        self.configuration = configuration
        try FileManager.default.createDirectory(atPath: configuration.root, withIntermediateDirectories: true)
    }

    /// Opens the cache file of an asset, making it (all holes) when it is new, and makes room if need be. The file
    /// stays as long as the result lives.
    /// - Throws: ``CachedAsset/BlockError`` when the file cannot be opened; `CocoaError` when its folder cannot be
    ///   made.
    package func open(_ record: AssetRecord) throws -> CachedAsset {
        try makeRoom()
        let path = configuration.root + "/" + record.digest.storePath
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        return try CachedAsset(path: path, record: record)
    }

    private func makeRoom() throws {
        var files = try cachedFiles()
        var total = files.reduce(0) { $0 + $1.allocated }
        files.sort { $0.used < $1.used }
        for file in files where total > configuration.limit {
            if CachedAsset.removeIfUnused(file.path) { total -= file.allocated }
        }
    }

    private struct CachedFile {
        let path: String
        let allocated: Int64
        let used: Date
    }

    private func cachedFiles() throws -> [CachedFile] {
        let keys: [URLResourceKey] = [.contentModificationDateKey, .isRegularFileKey, .totalFileAllocatedSizeKey]
        let root = URL(fileURLWithPath: configuration.root)
        var files: [CachedFile] = []
        for case let url as URL in FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys) ?? .init()
        {
            var about = stat()
            guard lstat(url.path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { continue }
            let used = Date(timeIntervalSince1970: Double(about.st_mtim.tv_sec))
            files.append(CachedFile(path: url.path, allocated: Int64(about.st_blocks) * 512, used: used))
        }
        return files
    }
}
