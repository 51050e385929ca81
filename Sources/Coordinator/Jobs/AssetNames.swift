import Foundation
import CompositionModel

extension AssetNames {
    /// - Parameter composition: as stored with the job.
    init(composition: Data) {
        self.init((try? JSONDecoder().decode(Part.self, from: composition).assets) ?? [])
    }

    /// All that is read of a composition here, which may be large.
    private struct Part: Decodable {
        var assets: [CompositionAsset]
    }
}
