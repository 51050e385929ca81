package import Foundation

/// JSON in a form in which equal values have equal bytes: RFC 8785 (JCS), restricted to integers, strings, booleans and
/// null.
package enum CanonicalJSON {
    /// The canonical JSON of `value`, in UTF-8.
    /// - Throws: `EncodingError.invalidValue` for a floating-point number, because exact values are never written as
    ///   one.
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = CanonicalEncoder(path: [])
        try value.encode(to: encoder)
        var bytes: [UInt8] = []
        encoder.slot.value.write(to: &bytes)
        return Data(bytes)
    }
}

extension ContentDigest {
    /// The digest of `prefix` followed by the canonical JSON of `value`. The prefix, such as `cutfarm/segment-key/1\n`,
    /// says what is digested and by which rules.
    /// - Throws: `EncodingError.invalidValue` when `value` holds a floating-point number.
    package init(canonical value: some Encodable, prefix: String) throws {
        self.init(of: Data(prefix.utf8) + (try CanonicalJSON.data(value)))
    }
}
