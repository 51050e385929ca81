/// The fonts of a machine that do what a ``FontDescriptor`` asks for.
public struct FontAnswer: Sendable, Hashable, Codable {
    /// Font files, the first asked for, then what helps out; empty when there is no such family.
    public var paths: [String]
    /// The family of the machine whose name is nearest to one that is missing.
    public var nearest: String?
    /// Characters that no font of the machine has.
    public var missing: String

    public init(paths: [String], nearest: String? = nil, missing: String = "") {
        self.paths = paths
        self.nearest = nearest
        self.missing = missing
    }
}
