/// The statements that the server keeps parsed, with their names: parsing and planning cost more than running most of
/// ours.
struct PreparedStatements {
    /// Programs use a fixed set of statements; what is more than these is not kept.
    private static let most = 200
    private var names: [String: String] = [:]
    /// The schema changed under them (another program migrated): the connection is to be replaced.
    private(set) var areOutdated = false

    func name(of sql: String) -> String? { names[sql] }

    /// - Returns: the name to prepare `sql` under, or nil when there are too many.
    func newName(pending: Int) -> String? {
        names.count + pending < Self.most ? "s\(names.count + pending)" : nil
    }

    mutating func keep(_ sql: String, as name: String) { names[sql] = name }

    /// `0A000`: “cached plan must not change result type”; `26000`: something between us and the server forgot them.
    mutating func note(_ error: DatabaseError) {
        if error.code == "0A000" || error.code == "26000" { areOutdated = true }
    }
}
