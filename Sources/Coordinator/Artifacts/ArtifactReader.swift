import CompositionModel
import Foundation
import NIOCore
import Storage

/// Stored bytes that are read by ranges: a file of this host, or an object of the farm's bucket.
enum ArtifactReader: Sendable {
    case file(StoredFile)
    case object(StoredObject, BucketArtifacts)

    /// The digest under which the bytes are stored.
    var digest: ContentDigest {
        switch self {
        case .file(let file): file.digest
        case .object(let object, _): object.digest
        }
    }

    /// The number of bytes.
    var byteCount: Int64 {
        switch self {
        case .file(let file): file.byteCount
        case .object(let object, _): object.byteCount
        }
    }

    /// The same bytes, for whoever waits for an answer (``BucketArtifacts/failingFast``).
    var failingFast: ArtifactReader {
        guard case .object(let object, let bucket) = self else { return self }
        return .object(object, bucket.failingFast)
    }

    /// The bytes from `offset` on; fewer than asked for only at the end.
    /// - Throws: ``StorageError`` when they cannot be read.
    func bytes(at offset: Int64, count: Int) async throws -> ByteBuffer {
        switch self {
        case .file(let file): return try await blocking { try file.buffer(at: offset, count: count) }
        case .object(let object, let bucket):
            let end = min(offset + Int64(count), object.byteCount)
            guard offset < end else { return ByteBuffer() }
            return ByteBuffer(bytes: try await bucket.bytes(offset..<end, of: object))
        }
    }
}

extension StoredFile {
    fileprivate func buffer(at offset: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            try read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<count]), at: offset)
        }
        return buffer
    }
}
