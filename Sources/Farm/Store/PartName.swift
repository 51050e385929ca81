package import CompositionModel

/// The name of a part: no two parts of a farm have the same.
package struct PartName: Sendable, Hashable {
    /// The key of the task.
    package var key: ContentDigest
    /// The versions for which the task was planned.
    package var versions: RenderVersions

    /// Makes a name.
    package init(key: ContentDigest, versions: RenderVersions) {
        self.key = key
        self.versions = versions
    }
}
