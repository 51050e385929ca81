package import Foundation

/// One line of the log of tokens: a row of `GET /v1/tokens:log`.
package struct TokenLogLine: Sendable, Hashable, Codable {
    /// What was done. A use, and the refusal of a token that is over, are noted once for each address and day of UTC.
    package enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        case created, rotated, revoked, used, refused
    }

    /// When, by the database's clock.
    package var at: Date
    package var action: Action
    /// The token that it was done to.
    package var token: TokenID
    /// The name of the token that was changed or used.
    package var name: String
    /// The owner who did it.
    package var who: String
    /// The token by which that was asked; nil for one of a coordinator's token file.
    package var withToken: TokenID?
    /// The address from which the token was presented, which may be a reverse proxy's; nil for other actions.
    package var address: String?

    package init(
        at: Date,
        action: Action,
        token: TokenID,
        name: String,
        who: String,
        withToken: TokenID?,
        address: String?
    ) {
        self.at = at
        self.action = action
        self.token = token
        self.name = name
        self.who = who
        self.withToken = withToken
        self.address = address
    }
}
