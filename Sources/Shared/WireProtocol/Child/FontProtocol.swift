public import CompositionModel

// A parent asks a render child for the fonts of this machine that an edit names, because finding them opens font files.

/// Asks which font file of this machine matches each descriptor.
public struct FontRequest: Sendable, Hashable, Codable {
    /// The folders to search, with everything below them; the child may read them.
    public var folders: [String]
    /// The fonts to find.
    public var descriptors: [FontDescriptor]

    public init(folders: [String], descriptors: [FontDescriptor]) {
        self.folders = folders
        self.descriptors = descriptors
    }
}
