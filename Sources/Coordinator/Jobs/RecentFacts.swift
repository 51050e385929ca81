import CompositionModel
import EditLanguage
import Synchronization

/// The facts of the assets that a batch of submissions used last. The rows of a manifest mostly share theirs, and facts of
/// a long file are megabytes of JSON.
final class RecentFacts: Sendable {
    /// The most assets that are kept: facts of many long files would fill the memory.
    private static let limit = 16

    /// Oldest first.
    private let assets = Mutex<[CompilerAsset]>([])

    /// The asset of a digest; nil when it is not among the last ones.
    subscript(digest: ContentDigest) -> CompilerAsset? {
        assets.withLock { assets in
            guard let place = assets.firstIndex(where: { $0.digest == digest }) else { return nil }
            let asset = assets.remove(at: place)
            assets.append(asset)
            return asset
        }
    }

    /// Keeps an asset, and forgets the one whose last use is longest ago when there are too many.
    func insert(_ asset: CompilerAsset) {
        assets.withLock { assets in
            if assets.count == Self.limit { assets.removeFirst() }
            assets.append(asset)
        }
    }
}
