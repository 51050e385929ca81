package import CompositionModel

// A parent asks a render child for the fonts of this machine that an edit names, because finding them opens font files.

/// Asks which font file of this machine matches each descriptor.
package struct FontRequest: Sendable, Hashable, Codable {
    /// The folders to search, with everything below them; the child may read them.
    package var folders: [String]
    /// The fonts to find.
    package var descriptors: [FontDescriptor]

    package init(folders: [String], descriptors: [FontDescriptor]) {
        self.folders = folders
        self.descriptors = descriptors
    }
}
