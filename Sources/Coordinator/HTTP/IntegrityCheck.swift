import CompositionModel
import Foundation
import Logging
import NIOCore
import Storage
import WireProtocol

/// Sees, while an asset is sent, whether its bytes are still those that came: hashing what is read anyway costs little,
/// and reading everything before would cost much.
struct IntegrityCheck: Sendable {
    let artifacts: ArtifactLibrary
    /// Digests of every ``AssetRecord/blockSize`` bytes, the last one shorter.
    let blocks: [ContentDigest]
    let logger: Logger

    /// - Parameters:
    ///   - bytes: of `file`, from `offset` on, not past the end of a block. Only a whole block can be judged.
    /// - Throws: ``StorageError/wrongDigest(expected:found:)``; the file has lost its name then, so that it can be sent
    ///   again.
    func check(_ bytes: ByteBuffer, at offset: Int64, of file: ArtifactReader) async throws {
        let block = Int(offset / AssetRecord.blockSize)
        let length = min(AssetRecord.blockSize, file.byteCount - Int64(block) * AssetRecord.blockSize)
        guard offset % AssetRecord.blockSize == 0, bytes.readableBytes == length, blocks.indices.contains(block) else {
            return
        }
        let found = try await blocking {
            var hasher = ContentHasher()
            bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            return hasher.finalize()
        }
        guard found != blocks[block] else { return }
        logger.warning("an asset has rotted", metadata: ["asset": "\(file.digest)", "block": "\(block)"])
        // A bit of an object may have flipped on its way here: only one that is wrong again is lost.
        if case .object = file {
            let again = try await file.bytes(at: offset, count: Int(length))
            guard ContentDigest(of: Data(again.readableBytesView)) == found else {
                throw StorageError.wrongDigest(expected: "\(blocks[block])", found: "\(found)")
            }
        }
        try await artifacts.disown(file)
        throw StorageError.wrongDigest(expected: "\(blocks[block])", found: "\(found)")
    }
}
