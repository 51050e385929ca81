import CompositionModel
import Foundation

extension AssetNames {
    /// Reads the names from a composition as it is stored with the job. One that cannot be read has no names.
    init(composition: Data) {
        self.init((try? JSONDecoder().decode(Part.self, from: composition).assets) ?? [])
    }

    /// The part of a composition that is read here; the rest may be large.
    private struct Part: Decodable {
        var assets: [CompositionAsset]
    }
}
