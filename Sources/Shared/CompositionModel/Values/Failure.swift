/// The reason why an attempt or a job did not succeed: a stable code, and one sentence that says what failed, where,
/// and what to do.
package struct Failure: Error, Hashable, Codable {
    /// The stable code, such as `asset_truncated`, `render_crashed` or `lease_expired`.
    package var code: String
    /// The failure as one sentence.
    package var message: String
    /// Whether another attempt cannot help, on this worker or elsewhere, because the input itself is at fault.
    package var isPermanent: Bool
    /// The source at fault; nil when no source is. Tasks know sources by their digests; the coordinator puts the edit's
    /// names into the message (``AssetNames``).
    package var asset: ContentDigest?

    package init(code: String, message: String, isPermanent: Bool, asset: ContentDigest? = nil) {
        self.code = code
        self.message = message
        self.isPermanent = isPermanent
        self.asset = asset
    }
}
