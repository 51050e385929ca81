public import CompositionModel

// Finding the fonts of this machine that an edit asks for: asked of a render child, because it opens font files.

public struct FontRequest: Sendable, Hashable, Codable {
    /// Folders that are looked through, with all below them; the child may read them.
    public var folders: [String]
    public var wishes: [FontWish]

    public init(folders: [String], wishes: [FontWish]) {
        self.folders = folders
        self.wishes = wishes
    }
}
