public import WireProtocol

/// An asset that the farm knows: what workers need beside the bytes, and where the coordinator reads the bytes.
public struct StoredAsset: Sendable, Hashable {
    /// The digest, length, blocks, facts and frame indexes.
    public var record: AssetRecord
    /// The absolute path on the coordinator's host of a file that was registered where it lies; nil when the bytes are
    /// in the artifact store.
    public var path: String?

    /// Makes the row of an asset.
    public init(record: AssetRecord, path: String? = nil) {
        self.record = record
        self.path = path
    }
}
