package import Foundation

/// A token that was made by command, as clients see it: a row of `GET /v1/tokens`. Its secret is never shown again.
package struct TokenView: Sendable, Hashable, Codable {
    /// The token's identifier, which is no secret.
    package var id: TokenID
    /// What people call it.
    package var name: String
    /// The owner of the jobs that are submitted with it.
    package var owner: String
    /// The scopes in alphabetical order, such as `submit` and `view`.
    package var scopes: [String]
    /// When it was made, by the database's clock.
    package var created: Date
    /// The owner of the token that made it.
    package var createdBy: String
    /// From when on it is no longer valid; nil when it has no end.
    package var expires: Date?
    /// When it was revoked; nil when it was not.
    package var revoked: Date?
    /// When it was last presented, to the minute; nil when it never was.
    package var lastUsed: Date?
    /// The end of the last secret that was replaced and is still valid; nil when only the newest secret is.
    package var overlapEnds: Date?
    /// Whether it is valid now.
    package var isValid: Bool

    package init(
        id: TokenID,
        name: String,
        owner: String,
        scopes: [String],
        created: Date,
        createdBy: String,
        expires: Date?,
        revoked: Date?,
        lastUsed: Date?,
        overlapEnds: Date?,
        isValid: Bool
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.scopes = scopes
        self.created = created
        self.createdBy = createdBy
        self.expires = expires
        self.revoked = revoked
        self.lastUsed = lastUsed
        self.overlapEnds = overlapEnds
        self.isValid = isValid
    }
}

/// The answer to a request that makes or rotates a token: the only one that holds its secret.
package struct TokenMade: Sendable, Hashable, Codable {
    /// The secret, to be kept like a password.
    package var secret: String
    /// What it is for.
    package var token: TokenView

    package init(secret: String, token: TokenView) {
        self.secret = secret
        self.token = token
    }
}
