/// The body of `POST /v1/tokens`.
package struct TokenOrder: Sendable, Hashable, Codable {
    /// The most bytes of a token's name, and of its owner.
    package static let longestName = 100

    /// What people call the token, such as `studio-2`: 1 to 100 bytes.
    package var name: String
    /// The owner of the jobs that are submitted with the token: 1 to 100 bytes without white space.
    package var owner: String
    /// The scopes, at least one of `view`, `submit`, `worker` and `admin`.
    package var scopes: [String]
    /// The seconds for which the token is valid, at least 1; nil for no end.
    package var validSeconds: Int64?

    package init(name: String, owner: String, scopes: [String], validSeconds: Int64? = nil) {
        self.name = name
        self.owner = owner
        self.scopes = scopes
        self.validSeconds = validSeconds
    }
}

/// The body of `POST /v1/tokens/{id}/rotate`.
package struct TokenRotation: Sendable, Hashable, Codable {
    /// The seconds for which the secrets before stay valid, unless they end earlier; 0 ends them at once.
    package var overlapSeconds: Int64

    package init(overlapSeconds: Int64) { self.overlapSeconds = overlapSeconds }
}
