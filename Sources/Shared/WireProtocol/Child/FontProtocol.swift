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
