import Client
import CompositionModel
import Synchronization

/// The assets that a run of a command knows to be at the coordinator: the lines of a manifest mostly share theirs, and each is
/// asked for once. The coordinator may remove one later (`--keep-assets`); its refusal of a submission says so, and the
/// asset is then forgotten here.
final class KnownAssets: Sendable {
    private let digests = Mutex<Set<ContentDigest>>([])

    /// Whether the coordinator has an asset.
    /// - Throws: `ClientError`.
    func contains(_ digest: ContentDigest, on connection: CoordinatorConnection) async throws(ClientError) -> Bool {
        if digests.withLock({ $0.contains(digest) }) { return true }
        guard try await connection.hasAsset(digest) else { return false }
        insert(digest)
        return true
    }

    /// Notes that the coordinator has an asset.
    func insert(_ digest: ContentDigest) { digests.withLock { _ = $0.insert(digest) } }

    /// Notes that the coordinator lacks assets, so that each is asked for again.
    func remove(_ missing: [ContentDigest]) { digests.withLock { $0.subtract(missing) } }
}
