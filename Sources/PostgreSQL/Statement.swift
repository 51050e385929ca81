/// A statement with its parameters, to be run later, together with others.
public struct Statement: Sendable {
    public let sql: String
    public let parameters: [any Parameter]
    /// Rows that it must touch; another number means that somebody else was faster, and undoes the transaction.
    public let expectedCount: Int?

    public init(_ sql: String, _ parameters: [any Parameter] = [], expecting count: Int? = nil) {
        self.sql = sql
        self.parameters = parameters
        expectedCount = count
    }
}
