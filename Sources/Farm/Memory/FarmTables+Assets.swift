import WireProtocol
public import CompositionModel

extension FarmTables {
    public mutating func putAsset(_ asset: StoredAsset) { assets[asset.record.digest] = asset }

    public func asset(_ digest: ContentDigest) -> StoredAsset? { assets[digest] }

    public func unreferenced(_ digests: [ContentDigest]) -> [ContentDigest] {
        var referenced = Set(assets.values.flatMap { [$0.record.digest] + $0.record.frameIndexes.values })
        for job in jobs {
            if let output = job.record.artifact { referenced.insert(output) }
            let kept = tasks[job.tasks].filter { row in
                !job.record.state.isFinal || row.record.stage == job.record.remaining.count - 1
            }
            referenced.formUnion(kept.compactMap(\.record.artifact))
        }
        return digests.filter { !referenced.contains($0) }
    }
}
