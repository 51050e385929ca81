import WireProtocol

/// The owner of a token or a session, and what the owner may do.
struct Principal: Sendable, Hashable, Codable {
    /// One secret of a token that was made by command.
    struct Credential: Sendable, Hashable, Codable {
        let token: TokenID
        /// The secret's number in the store.
        let secret: Int64
    }

    /// The name to which jobs belong.
    let owner: String
    /// The scopes that the token has.
    let scopes: Set<Scope>
    /// What was presented; nil for a token of the token file, which is valid as long as the coordinator runs.
    var credential: Credential?

    /// Whether one of the scopes includes `scope`.
    func may(_ scope: Scope) -> Bool { scopes.contains { $0.implied.contains(scope) } }

    /// Whether the owner may change what belongs to `owner`: its own with `submit`, everything with `admin`.
    func mayChange(ownedBy owner: String) -> Bool { may(.admin) || (may(.submit) && owner == self.owner) }
}
