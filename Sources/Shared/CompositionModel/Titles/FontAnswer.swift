/// The fonts of a machine that answer a ``FontDescriptor``.
public struct FontAnswer: Sendable, Hashable, Codable {
    /// The paths of font files: the one asked for, then fallbacks; empty when there is no such family.
    public var paths: [String]
    /// The family on the machine whose name is nearest to a missing one; nil when none is near or none is missing.
    public var nearest: String?
    /// The characters that no font of the machine has.
    public var missing: String

    public init(paths: [String], nearest: String? = nil, missing: String = "") {
        self.paths = paths
        self.nearest = nearest
        self.missing = missing
    }
}
