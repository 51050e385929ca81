package import WireProtocol

/// An asset that the farm knows: what workers need beside the bytes, and where the coordinator reads the bytes.
package struct StoredAsset: Sendable, Hashable {
    /// The digest, length, blocks, facts and frame indexes.
    package var record: AssetRecord
    /// The absolute path on the coordinator's host of a file that was registered where it lies; nil when the bytes are
    /// in the artifact store.
    package var path: String?

    /// Makes the row of an asset.
    package init(record: AssetRecord, path: String? = nil) {
        self.record = record
        self.path = path
    }
}
