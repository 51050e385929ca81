import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Synchronization
import WireProtocol

extension Response {
    /// Stored bytes, whole or the range asked for. Their digest is their strong entity tag.
    /// - Parameters:
    ///   - type: media type.
    ///   - name: what a browser should save them as; nil shows them.
    ///   - watch: looks at what is sent; nil trusts it.
    /// - Throws: ``StorageError`` when the first of an object's bytes cannot be had: the answer says so then. Later the
    ///   connection can only break off.
    static func artifact(
        _ file: ArtifactReader,
        for request: Request,
        type: String,
        saveAs name: String? = nil,
        watch: IntegrityCheck? = nil
    ) async throws -> Response {
        let tag = "\"\(file.digest)\""
        var headers: HTTPFields = [
            .eTag: tag, .acceptRanges: "bytes", .cacheControl: "private, max-age=31536000, immutable",
        ]
        if request.knows(tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = type
        headers[.contentDisposition] = name.map(ContentDisposition.attachment)
        // RFC 9110 §13.1.5: a range of bytes that are no longer these is not wanted.
        let isOfTheseBytes = request.headers[.ifRange].map { $0 == tag } ?? true
        let range = ByteRange(header: isOfTheseBytes ? request.headers[.range] : nil, byteCount: file.byteCount)
        let isHead = request.method == .head
        switch range {
        case .whole:
            return Response(
                status: .ok,
                headers: headers,
                body: try await .bytes(0..<file.byteCount, of: file, watch, isHead)
            )
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"
            return Response(
                status: .partialContent,
                headers: headers,
                body: try await .bytes(part, of: file, watch, isHead)
            )
        case .unsatisfiable:
            return rangeNotSatisfiable(file.byteCount)
        }
    }

    private static func rangeNotSatisfiable(_ byteCount: Int64) -> Response {
        var response = Problem(
            status: 416,
            code: "range_not_satisfiable",
            title: "No such range",
            detail: "The range lies past the end: there are \(byteCount) bytes."
        ).response()
        response.headers[.contentRange] = "bytes */\(byteCount)"
        return response
    }
}

extension Request {
    /// Whether the client has the bytes of an entity tag, by its `If-None-Match` (RFC 9110 §13.1.2).
    func knows(_ tag: String) -> Bool {
        guard let known = headers[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { word in
            let word = word.filter { $0 != " " && $0 != "\t" }
            return word == tag || word == "W/" + tag
        }
    }
}

extension ResponseBody {
    /// Read a block at a time. When reading fails, or a block has rotted, the connection
    /// breaks off before the length that was announced, so that nobody takes half a file for a whole one.
    fileprivate static func bytes(
        _ range: Range<Int64>,
        of file: ArtifactReader,
        _ watch: IntegrityCheck?,
        _ isHead: Bool
    ) async throws -> ResponseBody {
        let blocks = ArtifactBlocks(file: file, watch: watch, end: range.upperBound)
        let first = FirstBlock()
        if case .object = file, !isHead, !range.isEmpty {
            first.keep(try await blocks.failingFast.block(at: range.lowerBound))
        }
        return ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let block = if let kept = first.take() { kept } else { try await blocks.block(at: offset) }
                offset += Int64(block.readableBytes)
                try await writer.write(block)
            }
            try await writer.finish(nil)
        }
    }
}

/// The blocks of stored bytes that are sent one after the other.
private struct ArtifactBlocks: Sendable {
    let file: ArtifactReader
    let watch: IntegrityCheck?
    /// The offset at which sending ends.
    let end: Int64

    /// The same, read as ``ArtifactReader/failingFast`` says.
    var failingFast: ArtifactBlocks { ArtifactBlocks(file: file.failingFast, watch: watch, end: end) }

    /// The bytes from `offset` to the end of its block, at most to ``end``.
    /// - Throws: ``StorageError`` when they cannot be read, or have rotted.
    func block(at offset: Int64) async throws -> ByteBuffer {
        let blockEnd = (offset / AssetRecord.blockSize + 1) * AssetRecord.blockSize
        let count = Int(min(blockEnd, end) - offset)
        let block = try await file.bytes(at: offset, count: count)
        try await watch?.check(block, at: offset, of: file)
        guard block.readableBytes == count else { throw StorageError.missing("\(file.digest)") }
        return block
    }
}

/// A block that is kept until it is sent, and not while those behind it are.
private final class FirstBlock: Sendable {
    private let block = Mutex<ByteBuffer?>(nil)

    func keep(_ block: ByteBuffer) { self.block.withLock { $0 = block } }

    func take() -> ByteBuffer? { block.withLock { $0.take() } }
}
