package import CompositionModel
package import Foundation
import Synchronization
package import WireProtocol

/// The sparse cache file of one asset, held open; see ``BlockCache``.
package final class CachedAsset: Sendable {
    /// The path of the sparse file, for a render child.
    package let path: String
    /// The asset's length and the digests of its blocks.
    package let record: AssetRecord
    private let descriptor: Int32
    /// Blocks whose digest was checked since this was opened.
    private let verified = Mutex<Set<Int64>>([])

    /// The reason why a block is not in the file.
    package struct BlockError: Error, Sendable {
        /// The failure to report: `asset_corrupt`, `no_space` or `cache_failed`.
        package let failure: Failure
    }

    init(path: String, record: AssetRecord) throws {
        self.path = path
        self.record = record
        descriptor = try CachedAsset.openInUse(path)
        guard ftruncate(descriptor, off_t(record.byteCount)) == 0, futimens(descriptor, nil) == 0 else {
            let error = CachedAsset.error("prepared", path)
            close(descriptor)
            throw error
        }
    }

    /// A shared lock says that the file is in use; it goes with the descriptor. Between opening and locking another
    /// process may have removed the file: then it is made anew.
    private static func openInUse(_ path: String) throws -> Int32 {
        while true {
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw error("opened", path) }
            guard flock(descriptor, LOCK_SH) == 0 else {
                let error = error("locked", path)
                close(descriptor)
                throw error
            }
            if isLinked(descriptor, at: path) { return descriptor }
            close(descriptor)
        }
    }

    private static func isLinked(_ descriptor: Int32, at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, stat(path, &named) == 0 else { return false }
        return held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    deinit { close(descriptor) }

    /// The half-open range of bytes that a block covers; nil when the asset has no such block.
    /// - Parameter block: the block's number, counted from 0.
    package func bytes(ofBlock block: Int64) -> Range<Int64>? {
        guard record.blocks.indices.contains(Int(block)) else { return nil }
        let start = block * AssetRecord.blockSize
        guard start < record.byteCount else { return nil }
        return start..<min(start + AssetRecord.blockSize, record.byteCount)
    }

    /// Whether the right bytes of a block are in the file. It reads and hashes the block the first time.
    /// - Parameter block: the block's number, counted from 0.
    package func holds(_ block: Int64) -> Bool {
        if verified.withLock({ $0.contains(block) }) { return true }
        guard let range = bytes(ofBlock: block) else { return false }
        var data = Data(count: range.count)
        let got = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound)) }
        guard got == range.count, ContentDigest(of: data) == record.blocks[Int(block)] else { return false }
        verified.withLock { _ = $0.insert(block) }
        return true
    }

    /// Puts a fetched block into the file.
    /// - Parameter block: the block's number, counted from 0.
    /// - Throws: ``BlockError`` when `data` is not what the record says, or cannot be written.
    package func store(_ data: Data, asBlock block: Int64) throws {
        guard let range = bytes(ofBlock: block), data.count == range.count,
            ContentDigest(of: data) == record.blocks[Int(block)]
        else {
            throw BlockError(
                failure: Failure(
                    code: "asset_corrupt",
                    message: "Block \(block) of asset \(record.digest) arrived with other bytes than its record says.",
                    isPermanent: false
                )
            )
        }
        let code = data.withUnsafeBytes { $0.writeAll(to: descriptor, at: off_t(range.lowerBound)) }
        guard code == 0 else { throw CachedAsset.error("written", path, code: code) }
        verified.withLock { _ = $0.insert(block) }
    }

    /// Removes the file unless somebody has it open.
    static func removeIfUnused(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0
    }

    static func error(_ what: String, _ path: String, code: Int32 = errno) -> BlockError {
        BlockError(
            failure: Failure(
                code: StorageError.isFull(code) ? "no_space" : "cache_failed",
                message: "The cache file \(path) cannot be \(what): \(String(cString: strerror(code))).",
                isPermanent: false
            )
        )
    }
}
