/// What the assets of a job are called in its edit.
public struct AssetNames: Sendable {
    private let names: [ContentDigest: [String]]

    /// - Parameter assets: of the composition.
    public init(_ assets: [CompositionAsset]) {
        names = Dictionary(grouping: assets, by: \.digest).mapValues { $0.map(\.name) }
    }

    /// The same failure, whose sentence names the asset at fault as the edit does. Where the edit does not know it, it
    /// stays as it is.
    public func naming(_ failure: Failure) -> Failure {
        guard let asset = failure.asset, let known = names[asset] else { return failure }
        var named = failure
        let words = known.map { "“\($0)”" }.joined(separator: ", ")
        named.message = "\(known.count > 1 ? "Assets" : "Asset") \(words): \(failure.message)"
        return named
    }
}
