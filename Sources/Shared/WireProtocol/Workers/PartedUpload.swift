package import CompositionModel

/// How an asset goes to the farm's bucket: in parts of one size, the last of which may be shorter.
package struct PartedUpload: Codable, Sendable, Hashable {
    /// The number of bytes of every part but the last.
    package var partByteCount: Int64
    /// The numbers of the parts that are there, ascending; the first part has the number 1.
    package var arrived: [Int]

    package init(partByteCount: Int64, arrived: [Int]) { (self.partByteCount, self.arrived) = (partByteCount, arrived) }
}

/// What a client asks before it sends a part.
package struct PartQuestion: Codable, Sendable, Hashable {
    /// The SHA-256 of the part's bytes: the service takes no others.
    package var digest: ContentDigest

    package init(digest: ContentDigest) { self.digest = digest }
}

/// What became of an asset whose parts are all there.
package struct UploadArrival: Codable, Sendable, Hashable {
    /// The asset; nil as long as no worker has read and probed it.
    package var record: AssetRecord?
    /// What it waits for, as a sentence; nil for an asset.
    package var waiting: String?

    package init(record: AssetRecord? = nil, waiting: String? = nil) { (self.record, self.waiting) = (record, waiting) }
}
