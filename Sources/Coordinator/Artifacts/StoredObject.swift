import CompositionModel

/// An object of the farm's bucket, and the bytes that it holds.
struct StoredObject: Sendable, Hashable {
    /// The digest of the bytes.
    let digest: ContentDigest
    /// The name in the bucket, which is never given twice.
    let key: String
    /// The number of bytes.
    let byteCount: Int64
}
