public import Foundation

/// JSON of which equal values have equal bytes: RFC 8785 (JCS), restricted to integers, strings, booleans and null.
public enum CanonicalJSON {
    /// - Throws: `EncodingError.invalidValue` for a floating-point number: nothing exact is written as one.
    public static func data(_ value: some Encodable) throws -> Data {
        let encoder = CanonicalEncoder(path: [])
        try value.encode(to: encoder)
        var bytes: [UInt8] = []
        encoder.slot.value.write(to: &bytes)
        return Data(bytes)
    }
}

extension ContentDigest {
    /// The digest of `prefix` (such as `cutfarm/segment-key/1\n`, which says what is digested and by which rules)
    /// followed by the canonical JSON of `value`.
    public init(canonical value: some Encodable, prefix: String) throws {
        self.init(of: Data(prefix.utf8) + (try CanonicalJSON.data(value)))
    }
}
