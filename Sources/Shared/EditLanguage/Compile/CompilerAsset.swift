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

    /// The sentence about an asset that an edit uses and of which the compiler was told nothing. Commands look at all
    /// assets of an edit beforehand, so it is for whoever sends submissions to a coordinator without them.
    static func unknown(_ name: String) -> String {
        "nothing is known of asset \"\(name)\": a submission gives the digest of a file for every asset in \"assets\", also for "
            + "a generated one, and the text of every edit that is used in \"nested\""
    }
}
