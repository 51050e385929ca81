import Farm
import Foundation
import Shared

/// What the assets of a job are called in its edit.
struct AssetNames {
    private let names: [ContentDigest: [String]]

    /// - Parameter composition: as stored with the job.
    init(composition: Data) {
        let assets = (try? JSONDecoder().decode(Part.self, from: composition).assets) ?? []
        names = Dictionary(grouping: assets, by: \.digest).mapValues { $0.map(\.name) }
    }

    /// All that is read of a composition here, which may be large.
    private struct Part: Decodable {
        var assets: [CompositionAsset]
    }

    /// The same failure, whose sentence names the asset at fault as the edit does. Where the edit does not know it, it
    /// stays as it is.
    func naming(_ failure: Failure) -> Failure {
        guard let asset = failure.asset, let known = names[asset] else { return failure }
        var named = failure
        let words = known.map { "“\($0)”" }.joined(separator: ", ")
        named.message = "\(known.count > 1 ? "Assets" : "Asset") \(words): \(failure.message)"
        return named
    }
}
