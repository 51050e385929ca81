/// Who asks, and what he may do.
struct Principal: Sendable, Hashable, Codable {
    let owner: String
    let scopes: Set<Scope>

    func may(_ scope: Scope) -> Bool { scopes.contains { $0.implied.contains(scope) } }

    /// Whether he may change what belongs to `owner`.
    func mayChange(ownedBy owner: String) -> Bool { may(.admin) || (may(.submit) && owner == self.owner) }
}
