import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import WireProtocol

extension Response {
    /// Stored bytes, whole or the range asked for. Their digest is their strong entity tag.
    /// - Parameters:
    ///   - type: media type.
    ///   - name: what a browser should save them as; nil shows them.
    ///   - watch: looks at what is sent; nil trusts it.
    static func artifact(
        _ file: ArtifactReader,
        for request: Request,
        type: String,
        saveAs name: String? = nil,
        watch: IntegrityCheck? = nil
    ) -> Response {
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
        switch range {
        case .whole:
            return Response(status: .ok, headers: headers, body: .bytes(0..<file.byteCount, of: file, watch))
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"
            return Response(status: .partialContent, headers: headers, body: .bytes(part, of: file, watch))
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
    static func bytes(_ range: Range<Int64>, of file: ArtifactReader, _ watch: IntegrityCheck?) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let blockEnd = (offset / AssetRecord.blockSize + 1) * AssetRecord.blockSize
                let count = Int(min(blockEnd, range.upperBound) - offset)
                let chunk = try await file.bytes(at: offset, count: count)
                try await watch?.check(chunk, at: offset, of: file)
                guard chunk.readableBytes == count else { throw StorageError.missing("\(file.digest)") }
                try await writer.write(chunk)
                offset += Int64(count)
            }
            try await writer.finish(nil)
        }
    }
}
