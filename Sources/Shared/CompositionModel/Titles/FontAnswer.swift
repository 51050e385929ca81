/// The fonts of a machine that answer a ``FontDescriptor``.
package struct FontAnswer: Sendable, Hashable, Codable {
    /// The paths of font files: the one asked for, then fallbacks; empty when there is no such family.
    package var paths: [String]
    /// The family on the machine whose name is nearest to a missing one; nil when none is near or none is missing.
    package var nearest: String?
    /// The characters that no font of the machine has.
    package var missing: String
    /// The facts of the face asked for, in the first of ``paths``; nil when there is no such family, and in further answers to
    /// descriptors that differ in their text only.
    package var face: FontFaceFacts?

    package init(paths: [String], nearest: String? = nil, missing: String = "", face: FontFaceFacts? = nil) {
        self.paths = paths
        self.nearest = nearest
        self.missing = missing
        self.face = face
    }
}
