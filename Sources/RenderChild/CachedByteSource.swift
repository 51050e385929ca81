import Foundation
import Media
import WireProtocol

/// A source file that may be sparse: each block is asked for before it is first read.
final class CachedByteSource: ByteSource {
    let byteCount: Int64
    private let file: FileByteSource
    private let position: Int
    private let parent: ParentLink
    private var present: [Bool]

    /// - Parameter position: the source's place in the request.
    init(_ source: SourceFile, position: Int, parent: ParentLink) throws {
        file = try FileByteSource(path: source.path)
        byteCount = source.byteCount
        self.position = position
        self.parent = parent
        let blocks = Int((source.byteCount + AssetRecord.blockSize - 1) / AssetRecord.blockSize)
        present = [Bool](repeating: source.isComplete, count: blocks)
    }

    /// Reads no further than the end of the block that `offset` is in.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let block = offset / AssetRecord.blockSize
        if !present[Int(block)] {
            do {
                try parent.need(source: position, block: block)
            } catch let error as ParentLink.Unavailable {
                throw MediaError.source(error.failure)
            }
            present[Int(block)] = true
        }
        let end = min(byteCount, (block + 1) * AssetRecord.blockSize)
        let count = min(buffer.count, Int(end - offset))
        return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }
}
