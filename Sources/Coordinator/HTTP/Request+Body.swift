import CompositionModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import WireProtocol

/// The most bytes that a body may have, by its content.
enum BodyLimit {
    /// The limit of registrations, polls and reports.
    static let small = 64 << 10
    /// The limit of lists of attempts.
    static let json = 1 << 20
    /// The limit of a submission, which carries an edit of thousands of segments.
    static let submission = 16 << 20
    /// The limit of the record of an asset, which has a digest of each MiB: those of the largest upload and more.
    static let record = 96 << 20
}

extension Request {
    /// The body as JSON.
    /// - Throws: 413 above `limit` bytes, 415 unless it says that it is JSON, 400 naming the key that is not
    ///   understood.
    func json<Value: Decodable>(
        _ type: Value.Type,
        upTo limit: Int,
        _ context: FarmRequestContext
    ) async throws -> Value {
        try requireJSON()
        try checkLength(Int64(limit))
        try await invite(context)
        return try await Request.decode(type, body, upTo: limit, context)
    }

    /// Reads a body of the request of `context` as JSON.
    /// - Throws: status 413 above `limit` bytes, 400 naming the key that is not understood, 422 for a text with NUL
    ///   or with more combining marks in a row than any script needs.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ body: RequestBody,
        upTo limit: Int,
        _ context: FarmRequestContext
    ) async throws -> Value {
        let bytes: ByteBuffer
        do {
            bytes = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: Int64(limit))
        }
        context.received.add(bytes.readableBytes)
        // The checks below read UTF-8, and the decoder also UTF-16 and UTF-32, in which every `{` has a byte 0.
        guard !bytes.readableBytesView.contains(0) else {
            throw Problem.notUnderstood("The body is not UTF-8, or holds the character U+0000.")
        }
        guard !bytes.withUnsafeReadableBytes(EscapedNUL.occurs) else {
            throw Problem.unprocessable(
                "invalid_request",
                "A text of the body holds the character U+0000; leave it out."
            )
        }
        guard bytes.withUnsafeReadableBytes(StreamSafeText.firstLongRun(inJSON:)) == nil else {
            throw Problem.unprocessable(
                "invalid_request",
                "A text of the body has more than \(StreamSafeText.mostMarks) combining marks in a row, and no script "
                    + "needs as many; leave them out."
            )
        }
        do {
            return try bytes.withUnsafeReadableBytes { try WireJSON.decode(type, from: Data(borrowing: $0)) }
        } catch let error as DecodingError {
            let place = bytes.withUnsafeReadableBytes { error.unusableNumber(in: Data(borrowing: $0)) } ?? error.place
            throw Problem.notUnderstood("The body is not what is expected here: \(place).")
        }
    }

    /// Whether a proxy says that it asks for somebody else (RFC 7239, and what was used before it). A proxy that says
    /// nothing cannot be told from a client.
    var isForwarded: Bool {
        let names: [HTTPField.Name] = [.forwarded, .forwardedFor, .realIP, .via]
        return names.contains { headers[$0] != nil }
    }

    /// Requires that the body says that it is JSON. A form of another site cannot send this type without asking first,
    /// which is never allowed.
    /// - Throws: status 415.
    func requireJSON() throws(Problem) {
        let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
        guard type == "application/json" else {
            throw Problem(
                status: 415,
                code: "unsupported_type",
                title: "Unsupported type",
                detail: "The body must be sent as Content-Type: application/json."
            )
        }
    }

    /// Refuses by the length that the request announces, before anything is read.
    /// - Returns: the most bytes that the body may have: those announced, else `limit`.
    /// - Throws: status 413 above `limit` bytes.
    @discardableResult
    func checkLength(_ limit: Int64) throws(Problem) -> Int64 {
        guard let text = headers[.contentLength], let length = Int64(text) else { return limit }
        guard length <= limit else { throw .bodyTooLarge(limit: limit) }
        return length
    }

    /// Answers `Expect: 100-continue`, on which some clients wait for a second before they send a body. It is called
    /// once it is sure that the body is wanted.
    func invite(_ context: FarmRequestContext) async throws {
        guard headers[.expect]?.lowercased() == "100-continue" else { return }
        try await context.channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
}

extension Data {
    /// The bytes of a buffer without a copy, valid as long as the buffer is.
    fileprivate init(borrowing buffer: UnsafeRawBufferPointer) {
        guard let base = buffer.baseAddress, !buffer.isEmpty else {
            self.init()
            return
        }
        self.init(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: buffer.count, deallocator: .none)
    }
}

extension DecodingError {
    /// The place where the JSON is wrong, and how.
    var place: String {
        switch self {
        case .keyNotFound(let key, let context): "\(pointer(context)) has no “\(key.stringValue)”"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(pointer(context)) has the wrong type"
        case .dataCorrupted(let context):
            "\(pointer(context)): \(context.debugDescription.trimmingCharacters(in: ["."]))"
        @unknown default: "it cannot be read"
        }
    }

    /// A number of `body` that has a fraction, or too many digits, for the whole number that belongs there, in words. The
    /// decoder says of such a number no more than that the body is no JSON. Nil when the body is indeed none.
    func unusableNumber(in body: Data) -> String? {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty,
            let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        else { return nil }
        return DecodingError.unusableNumber(value, at: "") ?? "one of its numbers is too large"
    }

    private static func unusableNumber(_ value: Any, at path: String) -> String? {
        switch value {
        case let members as [String: Any]:
            members.keys.sorted().lazy.compactMap { name in
                members[name].flatMap { unusableNumber($0, at: path + "/" + name) }
            }.first
        case let elements as [Any]:
            elements.enumerated().lazy.compactMap { unusableNumber($1, at: path + "/\($0)") }.first
        case let number as NSNumber where Int64(exactly: number) == nil:
            "\(path) is \(number), where a whole number of at most 64 bits belongs"
        default: nil
        }
    }

    private func pointer(_ context: Context) -> String {
        context.codingPath.isEmpty ? "the body" : context.codingPath.map { "/" + $0.stringValue }.joined()
    }
}
