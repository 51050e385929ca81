/// A statement with its parameters, to be run later, together with others.
package struct Statement: Sendable {
    /// The SQL, with `$1` and so on for the parameters.
    package let sql: String
    /// The values of the parameters, in order.
    package let parameters: [any Parameter]
    /// The number of rows that it must touch; another number means that somebody else was faster, and undoes the
    /// transaction. Nil takes any number.
    package let expectedCount: Int?

    /// Makes a statement; nothing is sent.
    package init(_ sql: String, _ parameters: [any Parameter] = [], expecting count: Int? = nil) {
        self.sql = sql
        self.parameters = parameters
        expectedCount = count
    }

    /// Refuses texts that the database would take only up to their first NUL, and then take for others.
    /// - Throws: ``DatabaseError`` 22021, `character_not_in_repertoire`.
    func requireWholeTexts(_ place: String) throws(DatabaseError) {
        guard parameters.contains(where: \.hasNUL) else { return }
        throw DatabaseError(code: "22021", message: "A text holds the character NUL.", place: place)
    }
}

extension Parameter {
    /// Whether it is a text, or has a text, with the character NUL. Other values have none.
    fileprivate var hasNUL: Bool {
        if let text = self as? String { return text.utf8.contains(0) }
        return (self as? [String])?.contains { $0.utf8.contains(0) } ?? false
    }
}
