package import CompositionModel

/// A file elsewhere as an edit names it, and what must hold of it.
package struct RemoteSource: Sendable, Hashable {
    /// `https://…`, `http://…` or `s3://BUCKET/KEY`; others are refused by whoever is to fetch it.
    package var address: String
    /// The digest of its bytes; nil takes any.
    package var digest: ContentDigest?
    /// Its entity tag with quotes; nil takes any.
    package var entityTag: String?
    /// The version of an object of a bucket; nil takes the latest.
    package var version: String?

    /// Names a file, and what must hold of it.
    package init(
        _ address: String,
        digest: ContentDigest? = nil,
        entityTag: String? = nil,
        version: String? = nil
    ) {
        (self.address, self.digest, self.entityTag, self.version) = (address, digest, entityTag, version)
    }
}
