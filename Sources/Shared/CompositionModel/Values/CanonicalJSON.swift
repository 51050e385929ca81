package import Foundation

/// JSON in a form in which equal values have equal bytes: RFC 8785 (JCS), restricted to integers, strings, booleans and
/// null.
package enum CanonicalJSON {
    /// The canonical JSON of `value`, in UTF-8.
    /// - Throws: `EncodingError.invalidValue` for a floating-point number, because exact values are never written as
    ///   one.
    package static func data(_ value: some Encodable) throws -> Data {
        Data(try bytes(value, CanonicalSink(.canonical)))
    }

    /// What JSONEncoder gives with sorted keys and without escaped slashes, in less time and without its tree in memory:
    /// fractions are written too, and bytes in base 64. For values without a `URL` and a `Decimal`, which JSONEncoder does
    /// not ask either how they encode themselves.
    /// - Parameter dates: the text of a date; nil writes the seconds since the beginning of 2001, as JSONEncoder does.
    /// - Throws: `EncodingError.invalidValue` for infinity and what is not a number.
    package static func foundation(_ value: some Encodable, dates: ((Date) -> String)? = nil) throws -> Data {
        Data(try bytes(value, CanonicalSink(.foundation(dates: dates))))
    }

    fileprivate static func bytes(_ value: some Encodable, _ sink: CanonicalSink) throws -> [UInt8] {
        let encoder = CanonicalEncoder(sink)
        defer { encoder.release() }
        try CanonicalValueContainer(encoder: encoder).encode(value)
        encoder.finish()
        return sink.bytes
    }
}

extension ContentDigest {
    /// The digest of `prefix` followed by the canonical JSON of `value`. The prefix, such as `cutfarm/segment-key/1\n`,
    /// says what is digested and by which rules.
    /// - Throws: `EncodingError.invalidValue` when `value` holds a floating-point number.
    package init(canonical value: some Encodable, prefix: String) throws {
        let sink = CanonicalSink(.canonical)
        // Most tasks have some thousand bytes.
        sink.bytes.reserveCapacity(4096)
        sink.bytes += prefix.utf8
        self.init(of: try CanonicalJSON.bytes(value, sink))
    }
}
