package import CompositionModel
import Foundation
import WireProtocol

/// The digests of bytes that were read from their first to their last.
package struct HashedBytes: Sendable, Hashable {
    /// The SHA-256 of all bytes.
    package var digest: ContentDigest
    /// The number of bytes.
    package var byteCount: Int64
    /// The digest of every ``AssetRecord/blockSize`` bytes in order, the last block shorter; empty when not asked for.
    package var blocks: [ContentDigest]
}

/// The digest of a whole and of its blocks, fed piece by piece.
package struct FileHasher {
    private var whole = ContentHasher()
    private var block = ContentHasher()
    private var blocks: [ContentDigest] = []
    private let withBlocks: Bool

    package init(withBlocks: Bool) { self.withBlocks = withBlocks }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        whole.update(bufferPointer: bytes)
        guard withBlocks else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int(AssetRecord.blockSize - block.byteCount))
            block.update(bufferPointer: UnsafeRawBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
            if block.byteCount == AssetRecord.blockSize { endBlock() }
        }
    }

    private mutating func endBlock() {
        blocks.append(block.finalize())
        block = ContentHasher()
    }

    package consuming func finalize() -> HashedBytes {
        if block.byteCount > 0 { endBlock() }
        return HashedBytes(digest: whole.finalize(), byteCount: whole.byteCount, blocks: blocks)
    }

    /// Reads an open file from its beginning to its end, by position.
    /// - Parameter onPiece: called after each mebibyte.
    static func hash(
        descriptor: Int32,
        path: String,
        withBlocks: Bool,
        onPiece: () -> Void = {}
    ) throws(StorageError) -> HashedBytes {
        var hasher = FileHasher(withBlocks: withBlocks)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if got == 0 { return hasher.finalize() }
            if got > 0 {
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
                offset += Int64(got)
                onPiece()
            } else if errno != EINTR {
                throw .current("read", path)
            }
        }
    }
}
