/// The names that a job's assets have in its edit.
package struct AssetNames: Sendable {
    private let names: [ContentDigest: [String]]

    /// - Parameter assets: The assets of the composition.
    package init(_ assets: [CompositionAsset]) {
        names = Dictionary(grouping: assets, by: \.digest).mapValues { $0.map(\.name) }
    }

    /// The failure with a message that names the asset at fault as the edit does. A failure without an asset, or with
    /// one that the edit does not know, is returned unchanged.
    package func naming(_ failure: Failure) -> Failure {
        guard let asset = failure.asset, let known = names[asset] else { return failure }
        var named = failure
        let words = known.map { "“\($0)”" }.joined(separator: ", ")
        named.message = "\(known.count > 1 ? "Assets" : "Asset") \(words): \(failure.message)"
        return named
    }
}
