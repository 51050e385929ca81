public import Shared

extension FarmTables {
    public mutating func putAsset(_ asset: StoredAsset) { assets[asset.record.digest] = asset }

    public func asset(_ digest: ContentDigest) -> StoredAsset? { assets[digest] }
}
