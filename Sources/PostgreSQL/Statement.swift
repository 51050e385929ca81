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
}
