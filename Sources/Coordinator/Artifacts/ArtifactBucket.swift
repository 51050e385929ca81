package import ObjectStorage

/// The bucket in which a farm keeps its artifacts.
package struct ArtifactBucket: Sendable {
    /// The bucket, with the keys to it.
    package var bucket: Bucket
    /// What the names of all objects begin with: empty, or ending with a slash.
    package var prefix: String
    /// The most bytes of copies on a coordinator's own disk.
    package var scratchLimit: Int64

    /// The place of a farm whose artifacts are in a folder, as its database knows it.
    static let folder = "folder"

    /// The place as the farm's database knows it. The service may get another address.
    var place: String { "s3://\(bucket.location.bucket)/\(prefix)" }

    /// Names a place in a bucket.
    package init(_ bucket: Bucket, prefix: String, scratchLimit: Int64 = 50_000_000_000) {
        self.bucket = bucket
        self.prefix = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
        self.scratchLimit = scratchLimit
    }
}
