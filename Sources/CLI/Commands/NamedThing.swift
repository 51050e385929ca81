import WireProtocol

/// The one of several listed things that a person means: by its identifier, by its name, or by how its identifier begins.
enum NamedThing {
    /// - Parameters:
    ///   - all: the things, each with its name.
    ///   - kind: what one of them is called.
    ///   - has: what comes before a name in “No token has the name …”.
    ///   - list: the command that lists them.
    /// - Throws: ``CommandFailure`` when none is meant, and when several are.
    static func one<ID: TypedIdentifier>(
        _ text: String,
        of all: [(id: ID, name: String)],
        kind: String,
        has: String,
        list: String
    ) throws -> ID {
        var found = all.filter { $0.name == text }
        if found.isEmpty, let range = ID.beginning(with: text) { found = all.filter { range.contains($0.id) } }
        guard let only = found.first, found.count == 1 else {
            throw CommandFailure(
                .usage,
                found.isEmpty
                    ? "No \(kind) has \(has) “\(text.visible)”, and no id begins so; `\(list)` lists them."
                    : "Several \(kind)s are meant by “\(text.visible)”; write the id of one: `\(list)` lists them."
            )
        }
        return only.id
    }
}

/// A secret that was just drawn: alone on standard output, so that it can go into a file, with what it is for beside it.
enum DrawnSecret {
    /// - Parameter words: what it is for.
    static func print(_ made: some Encodable, _ secret: String, _ words: String, json: Bool) throws {
        guard !json else { return try JSONOutput.print(made) }
        Console.error(words)
        Console.print(secret)
    }
}
