package import CompositionModel

/// The body of `POST /v1/sources`: a file elsewhere that the coordinator is to fetch as an asset.
package struct SourceOrder: Sendable, Hashable, Codable {
    /// `https://…`, `http://…` or `s3://BUCKET/KEY`.
    package var address: String
    /// The digest that the bytes must have; nil takes any.
    package var digest: ContentDigest?
    /// The entity tag that the file must have, with its quotes as HTTP writes it; nil takes any.
    package var entityTag: String?
    /// The version of an object of a bucket; nil takes the latest.
    package var version: String?

    /// Names a file, and what must hold of it.
    package init(
        address: String,
        digest: ContentDigest? = nil,
        entityTag: String? = nil,
        version: String? = nil
    ) {
        (self.address, self.digest, self.entityTag, self.version) = (address, digest, entityTag, version)
    }
}
