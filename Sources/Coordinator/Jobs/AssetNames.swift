import CompositionModel
import Farm
import Foundation
import WireProtocol

extension AssetNames {
    /// Reads the names from the composition that is stored with a job. A composition that cannot be read has no names.
    /// - Throws: ``FarmStoreError``, of which ``FarmStoreError/unknownJob`` for a job that does not exist.
    init(ofJob job: JobID, in store: any FarmStore) async throws {
        var assets = LeadingAssets()
        var composition = try await StoredDocument(.composition, of: job, in: store)
        while !assets.isFinished, let slice = try await composition.next() { assets.read(slice) }
        self.init(assets)
    }

    /// Decodes the names of the assets that were found.
    init(_ assets: LeadingAssets) {
        self.init(assets.list.flatMap { try? JSONDecoder().decode([CompositionAsset].self, from: $0) } ?? [])
    }
}
