package import CompositionModel

/// An asset with all that compiling needs to know of it.
package struct CompilerAsset: Sendable, Hashable {
    /// The digest of its bytes, or of what a nested edit compiled to.
    package var digest: ContentDigest
    /// What the prober found in it.
    package var facts: AssetFacts
    /// What a nested edit compiled to; nil of everything that has bytes.
    var composition: Composition?

    package init(digest: ContentDigest, facts: AssetFacts) {
        self.digest = digest
        self.facts = facts
    }

    init(digest: ContentDigest, facts: AssetFacts, composition: Composition) {
        self.digest = digest
        self.facts = facts
        self.composition = composition
    }
}
