import CompositionModel
import Foundation

extension AssetNames {
    /// Reads the names from a composition as it is stored with the job. A composition that cannot be read has no names.
    init(composition: Data) {
        self.init((try? JSONDecoder().decode(Part.self, from: composition).assets) ?? [])
    }

    /// The only part of a composition that is decoded here; the rest may be large.
    private struct Part: Decodable {
        var assets: [CompositionAsset]
    }
}
