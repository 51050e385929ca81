import CompositionModel
import Hummingbird
import WireProtocol

/// Refuses a request whose address or header fields hold more combining marks in a row than any script needs, before the
/// router compares its path: each comparison of such a text takes time with the square of its length.
struct HeadCheck<Next: HTTPResponder<FarmRequestContext>>: HTTPResponder {
    let next: Next
    let metrics: FarmMetrics

    func respond(to request: Request, context: FarmRequestContext) async throws -> Response {
        guard !request.hasEndlessMarks else {
            var response = Problem.endlessMarks.response()
            response.addSecurityHeaders()
            if request.method == .head { response = response.createHeadResponse() }
            let sent = Int64(response.body.contentLength ?? 0)
            metrics.answered(request.method.rawValue, nil, response.status.code, received: 0, sent: sent)
            return response
        }
        return try await next.respond(to: request, context: context)
    }
}

extension Request {
    /// Whether the address with its percent escapes resolved, or the value of a header field, holds a run that
    /// ``StreamSafeText`` refuses.
    fileprivate var hasEndlessMarks: Bool {
        Self.hasEndlessMarks(Self.unescaped((head.path ?? "").utf8))
            || Self.hasEndlessMarks((head.authority ?? "").utf8)
            || headers.contains { Self.hasEndlessMarks($0.value.utf8) }
    }

    private static func hasEndlessMarks(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
        // The text is what Hummingbird will read: it repairs what is no UTF-8.
        let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return text.withUnsafeBytes(StreamSafeText.firstLongRun(inText:)) != nil
    }

    /// The bytes of an address with its percent escapes resolved.
    private static func unescaped(_ sent: String.UTF8View) -> [UInt8] {
        let address = Array(sent)
        guard address.contains(UInt8(ascii: "%")) else { return address }
        var bytes: [UInt8] = []
        var offset = 0
        while offset < address.count {
            if address[offset] == UInt8(ascii: "%"), offset + 2 < address.count,
                let byte = UInt8(String(decoding: address[offset + 1...offset + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                offset += 3
            } else {
                bytes.append(address[offset])
                offset += 1
            }
        }
        return bytes
    }
}
