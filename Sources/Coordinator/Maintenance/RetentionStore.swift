import CompositionModel
import Farm
import WireProtocol

/// A store that tells which movies and assets exceed what is kept, and forgets them.
protocol RetentionStore: Sendable {
    /// Finds the movies of completed jobs beyond what is kept, the oldest first. Equal movies of several jobs count once.
    /// - Parameters:
    ///   - isDryRun: whether they only are found; else their jobs no longer refer to them.
    ///   - limit: the most.
    func removeMovies(
        beyond kept: KeptAmount,
        isDryRun: Bool,
        limit: Int
    ) async throws(FarmStoreError) -> [RetentionReport.Movie]

    /// Finds the assets beyond what is kept that no unfinished job needs and nobody asked for within the last hour, the one
    /// first that was not used for longest. Those that lie at a path of their own do not count.
    /// - Parameters:
    ///   - isDryRun: whether they only are found; else they are forgotten.
    ///   - limit: the most.
    /// - Returns: the assets, and the digests of everything that may be of no use any more with them.
    func removeAssets(
        beyond kept: KeptAmount,
        isDryRun: Bool,
        limit: Int
    ) async throws(FarmStoreError) -> (assets: [RetentionReport.Asset], digests: [ContentDigest])
}

/// The time within which an asset that somebody asked for is kept in any case: whoever heard that it is here may submit an
/// edit of it.
enum AssetGrace {
    static let milliseconds: Int64 = 3_600_000
}
