/// The names by which a coordinator may be asked. A page of another site that gives its own name this host's address
/// (DNS rebinding) is told apart by the name that its requests carry.
struct AllowedHosts: Sendable {
    /// Lower-case names, without ports; empty allows any.
    private let names: Set<String>

    /// Takes names and addresses without ports.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

    /// Whether a request for `authority`, a name or an address with or without a port, is answered.
    func allow(_ authority: String) -> Bool { names.isEmpty || names.contains(AllowedHosts.name(of: authority)) }

    /// The authority without its port, in lower case; an address of IPv6 keeps its brackets.
    private static func name(of authority: String) -> String {
        let name = authority.lowercased()
        guard let colon = name.lastIndex(of: ":"), name[colon...].dropFirst().allSatisfy(\.isNumber),
            !name.hasPrefix("[") || name[..<colon].hasSuffix("]")
        else { return name }
        return String(name[..<colon])
    }
}
