import CompositionModel
import Foundation
import Hummingbird
import NIOCore
import Storage
import WireProtocol

/// Writes bodies into uploads that may be cut anywhere: what came is kept for its owner, who sends the rest.
struct ResumableReceiver: Sendable {
    /// What a request came to.
    enum Outcome: Sendable {
        /// The upload stands at the offset, and more is to come.
        case unfinished(offset: Int64)
        /// All bytes are here, have the digest and are stored.
        case complete(ReceivedBytes)
    }

    /// The least bytes of a piece that is not the last, where it says how long it is.
    static let leastPiece: Int64 = 64 << 10
    /// The bytes that are gathered before they are written. A body that is just fast enough to be read brings them within
    /// eight minutes, so that an upload in hand is never taken for one that is left alone
    /// (``OwnerUploads/Limits/secondsUntouched``).
    private static let writtenAtOnce = 256 << 10

    let artifacts: ArtifactStore
    /// The most bytes that one upload may have.
    let limit: Int64
    /// What one owner may have unfinished.
    let limits: OwnerUploads.Limits
    let space: SpaceWatch
    /// Limits the number of files read at a time.
    let hashing: Gate

    /// Begins an upload with the first bytes of it, and forgets what there was of it before.
    /// - Throws: as ``go(on:_:_:)``; status 400 unless the length of the whole is said.
    func begin(_ digest: ContentDigest, _ request: Request, _ context: FarmRequestContext) async throws -> Outcome {
        let fields = try UploadFields(request.headers)
        guard fields.offset ?? 0 == 0 else {
            throw Problem.notUnderstood("A PUT begins at Upload-Offset 0; send the rest with PATCH to …/upload.")
        }
        let announced = try request.announcedByteCount
        guard let byteCount = fields.length ?? (fields.isComplete == true ? announced : nil) else {
            throw Problem.notUnderstood("Upload-Length must say how many bytes the whole has.")
        }
        guard byteCount <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        try check(fields, announced, from: 0, of: byteCount)
        try requireRoom(byteCount)
        try await request.invite(context)
        let owner = try context.require([.submit]).owner
        let upload = try await blocking { [artifacts, limits] in
            OpenUpload(try artifacts.uploads(of: owner).begin(digest, byteCount: byteCount, within: limits))
        }
        return try await receive(request, context, into: upload, isLast: fields.isComplete ?? true)
    }

    /// Goes on with an upload of the request's owner.
    /// - Throws: status 404 `upload_missing` when there is none; 400 for a body or a length that does not fit;
    ///   ``UploadRefusal`` when it stands elsewhere than the request says; ``DiskShortage``; ``StorageError``, of which
    ///   ``StorageError/wrongDigest(expected:found:)`` leaves nothing behind. Else what came stays.
    func go(on digest: ContentDigest, _ request: Request, _ context: FarmRequestContext) async throws -> Outcome {
        let fields = try UploadFields(request.headers)
        guard let offset = fields.offset, let isLast = fields.isComplete else {
            throw Problem.notUnderstood("Upload-Offset and Upload-Complete must be said.")
        }
        let owner = try context.require([.submit]).owner
        let found = try await blocking { [artifacts] () throws -> OpenUpload? in
            guard let upload = try artifacts.uploads(of: owner).resume(digest) else { return nil }
            return OpenUpload(upload)
        }
        guard let upload = found else { throw Problem.uploadMissing }
        guard fields.length ?? upload.byteCount == upload.byteCount else {
            throw Problem.uploadLength("The upload was begun with a length of \(upload.byteCount) bytes; keep to it.")
        }
        guard offset == upload.offset else { throw UploadRefusal.offset(upload.offset) }
        try check(fields, request.announcedByteCount, from: offset, of: upload.byteCount)
        try requireRoom(upload.byteCount - offset)
        try await request.invite(context)
        return try await receive(request, context, into: upload, isLast: isLast)
    }

    /// Refuses by the lengths that are announced, before anything is read.
    private func check(
        _ fields: UploadFields,
        _ announced: Int64?,
        from offset: Int64,
        of byteCount: Int64
    ) throws(Problem) {
        guard let announced else { return }
        let rest = byteCount - offset
        guard announced <= rest else {
            throw .uploadLength("\(announced) bytes come, and only \(rest) are missing of \(byteCount).")
        }
        if fields.isComplete ?? true {
            guard announced == rest else {
                throw .uploadLength(
                    "\(announced) bytes come as the last ones, and \(rest) are missing of \(byteCount)."
                )
            }
        } else if announced < min(Self.leastPiece, rest) {
            throw .uploadLength("A piece that is not the last has \(Self.leastPiece) bytes or more.")
        }
    }

    private func receive(
        _ request: Request,
        _ context: FarmRequestContext,
        into upload: OpenUpload,
        isLast: Bool
    ) async throws -> Outcome {
        let (start, announced) = (upload.offset, try request.announcedByteCount)
        var received: Int64 = 0
        var pending = ByteBuffer()
        do {
            for try await part in request.body {
                context.received.add(part.readableBytes)
                received += Int64(part.readableBytes)
                guard start + received <= upload.byteCount else {
                    throw Problem.uploadLength("More bytes came than the \(upload.byteCount) of the whole.")
                }
                var part = part
                pending.writeBuffer(&part)
                if pending.readableBytes >= Self.writtenAtOnce {
                    try requireRoom(Int64(pending.readableBytes))
                    try await upload.append(&pending)
                }
            }
            try await upload.append(&pending)
        } catch let shortage as DiskShortage {
            try? await upload.keep()
            throw shortage
        } catch {
            try? await upload.append(&pending)
            try? await upload.keep()
            throw error
        }
        // A broken connection ends a body without an error.
        let isWhole = announced.map { $0 == received } ?? true
        guard isLast, isWhole, upload.offset == upload.byteCount else {
            try await upload.keep()
            guard isWhole, !isLast else {
                throw Problem.notUnderstood(
                    "The upload stands at \(upload.offset) bytes of \(upload.byteCount); send the rest."
                )
            }
            return .unfinished(offset: upload.offset)
        }
        guard upload.readsAtCommit else { return .complete(try await blocking { try upload.commit() }) }
        return .complete(try await hashing.pass { try await readingWhole { try upload.commit() } })
    }

    private func requireRoom(_ byteCount: Int64) throws(DiskShortage) {
        if let shortage = space.shortage(for: byteCount) { throw shortage }
    }
}

/// One ``PartialUpload`` of one request. Its calls follow each other on threads that may block.
private final class OpenUpload: @unchecked Sendable {
    private let upload: PartialUpload

    init(_ upload: sending PartialUpload) { self.upload = upload }

    var byteCount: Int64 { upload.byteCount }
    var offset: Int64 { upload.offset }
    var readsAtCommit: Bool { upload.readsAtCommit }

    func append(_ pending: inout ByteBuffer) async throws {
        let bytes = pending
        pending = ByteBuffer()
        guard bytes.readableBytes > 0 else { return }
        try await blocking { try bytes.withUnsafeReadableBytes { try self.upload.append($0) } }
    }

    func keep() async throws { try await blocking { try self.upload.keep() } }

    func commit() throws -> ReceivedBytes {
        let done = try upload.commit()
        return ReceivedBytes(hashed: done.hashed, publication: done.publication)
    }
}

extension Request {
    /// The number of bytes that the body is said to have; nil when it comes in chunks.
    fileprivate var announcedByteCount: Int64? {
        get throws(Problem) {
            guard let text = headers[.contentLength] else { return headers[.transferEncoding] == nil ? 0 : nil }
            guard let count = Int64(text), count >= 0 else {
                throw .notUnderstood("Content-Length is a number of bytes, and not “\(text)”.")
            }
            return count
        }
    }
}

extension Problem {
    fileprivate static let uploadMissing = Problem(
        status: 404,
        code: "upload_missing",
        title: "Not found",
        detail: "There is no unfinished upload of yours with this digest; begin with PUT."
    )

    fileprivate static func uploadLength(_ detail: String) -> Problem {
        Problem(status: 400, code: "upload_length", title: "Not understood", detail: detail)
    }
}
