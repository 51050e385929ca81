import CompositionModel
import Foundation
import Hummingbird
import NIOCore
import Storage
import WireProtocol

/// Bytes that arrived completely and are stored.
struct ReceivedBytes: Sendable {
    let hashed: HashedBytes
    let publication: Publication?
}

/// Writes the body of a PUT into the artifact store while it arrives.
struct UploadReceiver: Sendable {
    let artifacts: ArtifactStore
    /// The most bytes that one upload may have.
    let limit: Int64
    let space: SpaceWatch

    /// Receives and stores the body of a request.
    /// - Parameters:
    ///   - digest: the digest that the bytes must have; nil takes any.
    ///   - isUnderWay: whether the bytes belong to work in hand, which may use the reserve of the disk.
    /// - Throws: ``DiskShortage`` when there is no room; ``Problem`` for a body that is too long, incomplete or not the
    ///   announced bytes; ``StorageError`` when the disk fails. Nothing stays behind then.
    func receive(
        _ request: Request,
        _ context: FarmRequestContext,
        as digest: ContentDigest?,
        withBlocks: Bool,
        isUnderWay: Bool = false
    ) async throws -> ReceivedBytes {
        try request.checkLength(limit)
        try requireRoom(request.headers[.contentLength].flatMap { Int64($0) } ?? 0, isUnderWay)
        try await request.invite(context)
        let upload = try await blocking { [artifacts] in Upload(file: try artifacts.receive(withBlocks: withBlocks)) }
        var pending = ByteBuffer()
        var byteCount: Int64 = 0
        for try await part in request.body {
            byteCount += Int64(part.readableBytes)
            context.received.add(part.readableBytes)
            guard byteCount <= limit else { throw Problem.bodyTooLarge(limit: limit) }
            var part = part
            pending.writeBuffer(&part)
            if pending.readableBytes >= 1 << 20 {
                try requireRoom(Int64(pending.readableBytes), isUnderWay)
                try await upload.write(&pending)
            }
        }
        try await upload.write(&pending)
        try checkCompleteness(of: request, received: byteCount)
        return try await upload.commit(expecting: digest)
    }

    /// Refuses what would leave too little room.
    private func requireRoom(_ byteCount: Int64, _ isUnderWay: Bool) throws(DiskShortage) {
        let shortage = isUnderWay ? space.shortageWithinReserve(for: byteCount) : space.shortage(for: byteCount)
        if let shortage { throw shortage }
    }

    /// Refuses a body shorter than announced: a broken connection ends a body without an error.
    private func checkCompleteness(of request: Request, received: Int64) throws {
        guard let text = request.headers[.contentLength], let announced = Int64(text), announced != received else {
            return
        }
        throw Problem.notUnderstood("\(announced) bytes were announced and \(received) came; send them again.")
    }
}

/// One ``IncomingFile`` of one request. Its calls follow each other on threads that may block.
private final class Upload: @unchecked Sendable {
    private let file: IncomingFile

    init(file: sending IncomingFile) { self.file = file }

    func write(_ pending: inout ByteBuffer) async throws {
        let bytes = pending
        pending = ByteBuffer()
        try await blocking { try bytes.withUnsafeReadableBytes { try self.file.write($0) } }
    }

    func commit(expecting digest: ContentDigest?) async throws -> ReceivedBytes {
        try await blocking {
            let hashed = try self.file.commit(expecting: digest)
            return ReceivedBytes(hashed: hashed, publication: self.file.publication)
        }
    }
}
