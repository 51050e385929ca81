/// The owner of a token or a session, and what the owner may do.
struct Principal: Sendable, Hashable, Codable {
    /// The name to which jobs belong.
    let owner: String
    /// The scopes that the token file gives.
    let scopes: Set<Scope>

    /// Whether one of the scopes includes `scope`.
    func may(_ scope: Scope) -> Bool { scopes.contains { $0.implied.contains(scope) } }

    /// Whether the owner may change what belongs to `owner`: its own with `submit`, everything with `admin`.
    func mayChange(ownedBy owner: String) -> Bool { may(.admin) || (may(.submit) && owner == self.owner) }
}
