public import CompositionModel

// Finding the fonts of this machine that an edit asks for: asked of a render child, because it opens font files.

public struct FontRequest: Sendable, Hashable, Codable {
    /// Folders that are looked through, with all below them; the child may read them.
    public var folders: [String]
    /// The fonts that are looked for.
    public var descriptors: [FontDescriptor]

    enum CodingKeys: String, CodingKey {
        case folders
        case descriptors = "wishes"
    }

    public init(folders: [String], descriptors: [FontDescriptor]) {
        self.folders = folders
        self.descriptors = descriptors
    }
}

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
