/// Why an attempt or a job did not succeed: a stable code and one sentence that says what, where and what to do.
public struct Failure: Error, Hashable, Codable {
    /// Such as `asset_truncated`, `render_crashed`, `lease_expired`.
    public var code: String
    public var message: String
    /// Trying again, here or elsewhere, cannot help: the input itself is at fault.
    public var isPermanent: Bool
    /// The source at fault, where it is one. Tasks know sources by their digests; the coordinator puts the edit's names
    /// into the message.
    public var asset: ContentDigest?

    public init(code: String, message: String, isPermanent: Bool, asset: ContentDigest? = nil) {
        self.code = code
        self.message = message
        self.isPermanent = isPermanent
        self.asset = asset
    }
}
