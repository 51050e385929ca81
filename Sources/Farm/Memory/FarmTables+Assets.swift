package import CompositionModel
import WireProtocol

extension FarmTables {
    /// Stores an asset, or replaces what is stored of it.
    package mutating func putAsset(_ asset: StoredAsset) { assets[asset.record.digest] = asset }

    /// What is stored of an asset; nil for an unknown one.
    package func asset(_ digest: ContentDigest) -> StoredAsset? { assets[digest] }

    /// The ones of `digests` that nothing refers to (``FarmStore/unreferenced(_:)``).
    package func unreferenced(_ digests: [ContentDigest]) -> [ContentDigest] {
        var referenced = Set(assets.values.flatMap { [$0.record.digest] + $0.record.frameIndexes.values })
        referenced.formUnion(parts.values.map(\.artifact))
        referenced.formUnion(jobs.compactMap(\.record.artifact))
        for job in jobs where pruned[job.record.id] == nil {
            let kept = tasks[job.tasks].filter { row in
                !job.record.state.isFinal || row.record.stage == job.record.remaining.count - 1
            }
            referenced.formUnion(kept.compactMap(\.record.artifact))
        }
        return digests.filter { !referenced.contains($0) }
    }
}
