/// What a document may be at most, so that no text costs unbounded memory or stack.
struct JSONLimits: Sendable {
    /// Bytes of UTF-8.
    var byteCount = 8 << 20
    /// Lists and objects inside each other.
    var depth = 64
    /// Values in all.
    var valueCount = 1_000_000
    /// Syntax findings before reading stops.
    var findingCount = 50
}
