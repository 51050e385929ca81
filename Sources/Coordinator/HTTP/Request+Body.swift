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
    /// The most values of JSON that a submission, or a batch of them, may have.
    static let submissionValues = 250_000
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
        try await json(type, Bounds(byteCount: limit), context)
    }

    /// The body as JSON, within bounds.
    /// - Throws: also 422 for too many values.
    func json<Value: Decodable>(
        _ type: Value.Type,
        _ bounds: Bounds,
        _ context: FarmRequestContext
    ) async throws -> Value {
        try requireJSON()
        try checkLength(Int64(bounds.byteCount))
        try await invite(context)
        return try await Request.decode(type, body, bounds, context)
    }

    /// What a body may have.
    struct Bounds {
        let byteCount: Int
        /// The most values of JSON: the decoder needs many times their bytes in memory. Nil where the bytes are limit enough.
        var valueCount: Int?

        /// A submission, or a batch of them.
        static let submission = Bounds(byteCount: BodyLimit.submission, valueCount: BodyLimit.submissionValues)
        /// The record of an asset, with a digest for each MiB of a TiB and the times of keyframes.
        static let record = Bounds(byteCount: BodyLimit.record, valueCount: 4_000_000)
    }

    /// Reads a body of the request of `context` as JSON.
    /// - Throws: status 413 above the bytes of `bounds`, 400 naming the key that is not understood, 422 for too many values
    ///   and for a text with NUL or with more combining marks in a row than any script needs.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ body: RequestBody,
        _ bounds: Bounds,
        _ context: FarmRequestContext
    ) async throws -> Value {
        let bytes: ByteBuffer
        do {
            bytes = try await body.collect(upTo: bounds.byteCount)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: Int64(bounds.byteCount))
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
        if let most = bounds.valueCount, bytes.withUnsafeReadableBytes({ JSONValueCount.isAbove(most, in: $0) }) {
            throw Problem.unprocessable(
                "invalid_request",
                "The body has more than \(most) values of JSON, and nothing that is sent here needs as many."
            )
        }
        guard bytes.withUnsafeReadableBytes({ $0.isUTF8 }) else {
            throw Problem.notUnderstood("The body is not UTF-8.")
        }
        do {
            return try bytes.withUnsafeReadableBytes { try WireJSON.decode(type, from: Data(borrowing: $0)) }
        } catch let error as DecodingError {
            let fault = bytes.withUnsafeReadableBytes { error.fault(in: Data(borrowing: $0)) } ?? error.place
            throw Problem.notUnderstood("The body is not what is expected here: \(fault).")
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

    /// What the decoder does not say, in words: where `body` stops being JSON, or which of its numbers has a fraction, or too
    /// many digits, for the whole number that belongs there. Of either the decoder says no more than that the body is no
    /// JSON. Nil for other errors, whose ``place`` says all.
    func fault(in body: Data) -> String? {
        // Reading a long body once more would hold many times its bytes in memory.
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty, body.count <= BodyLimit.json else {
            return nil
        }
        do {
            let value = try JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
            return DecodingError.unusableNumber(value, at: "") ?? "one of its numbers is too large"
        } catch {
            guard let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String else { return nil }
            let located = DecodingError.located(words.trimmingCharacters(in: ["."]), in: body)
            return "it is not JSON: \(located.prefix(1).lowercased())\(located.dropFirst())"
        }
    }

    /// The words of `JSONSerialization` about `body`, with a line and a column, both from 1, for the number of a byte at
    /// their end. Columns count Unicode scalars.
    private static func located(_ words: String, in body: Data) -> String {
        guard let place = words.lastIndex(of: " "), let offset = Int(words[words.index(after: place)...]),
            (0...body.count).contains(offset)
        else { return words }
        let what = words[..<place]
        let before = body.prefix(offset)
        let lastLine = before.suffix(from: before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex)
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let column = 1 + lastLine.count { $0 & 0xC0 != 0x80 }
        return "\(what.hasSuffix(" character") ? what.dropLast(10) : what) line \(line), column \(column)"
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
        guard !context.codingPath.isEmpty else { return "the body" }
        return context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are UTF-8.
    fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
