/// The `traceparent` of W3C Trace Context: which trace a request belongs to, and the span that asked for it.
///
///     00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
///     version, 16 bytes of the trace, 8 of the span, flags: 1 is sampled
package struct TraceParent: Sendable, Hashable, Codable {
    /// The trace as 32 lower-case hex digits, not all of them 0.
    package let trace: String
    /// The span as 16 lower-case hex digits, not all of them 0.
    package let span: String
    /// Whether the caller keeps the trace.
    package let isSampled: Bool

    /// Joins a trace.
    /// - Returns: nil for anything but lower-case hex digits of these lengths, and for zeros alone.
    package init?(trace: String, span: String, isSampled: Bool = true) {
        guard Self.isIdentifier(trace, 32), Self.isIdentifier(span, 16) else { return nil }
        (self.trace, self.span, self.isSampled) = (trace, span, isSampled)
    }

    /// Reads the text, of this version or a later one (Trace Context §4.3).
    /// - Returns: nil for anything else.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[0] == "00" ? parts.count == 4 : true,
            Self.isHex(parts[0]), parts[3].utf8.count == 2, Self.isHex(parts[3]), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        self.init(trace: parts[1], span: parts[2], isSampled: flags & 1 == 1)
    }

    /// A new trace.
    package static func random() -> TraceParent {
        while true {
            let words = (0..<3).map { _ in UInt64.random(in: 1 ... .max) }.map(Self.hex)
            if let drawn = TraceParent(trace: words[0] + words[1], span: words[2]) { return drawn }
        }
    }

    /// The text of version 00.
    package var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

    /// The same trace, as a span of it passes it on.
    package func from(span: String) -> TraceParent? { TraceParent(trace: trace, span: span, isSampled: isSampled) }

    /// Writes the text.
    /// - Throws: `EncodingError` if `encoder` cannot hold a string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the text.
    /// - Throws: `DecodingError` for text that is no `traceparent`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let parent = TraceParent(text: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "“\(text.visible)” is no traceparent"
            )
        }
        self = parent
    }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isIdentifier(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && isHex(text) && text.contains { $0 != "0" }
    }

    private static func isHex(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}
