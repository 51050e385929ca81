public import CompositionModel

/// An asset as compiling sees it.
public struct CompilerAsset: Sendable, Hashable {
    public var digest: ContentDigest
    public var facts: AssetFacts
    /// What a nested edit compiled to; nil of everything that has bytes.
    var composition: Composition?

    public init(digest: ContentDigest, facts: AssetFacts) {
        self.digest = digest
        self.facts = facts
    }

    init(digest: ContentDigest, facts: AssetFacts, composition: Composition) {
        self.digest = digest
        self.facts = facts
        self.composition = composition
    }
}
