import CompositionModel
import Synchronization

/// The addresses at which assets can be read in the farm's bucket, as the coordinator gave them. Each is used for a few
/// minutes; the signature holds longer.
final class SignedAddresses: Sendable {
    private struct Entry {
        let address: String
        let until: ContinuousClock.Instant
    }

    private static let lifetime: Duration = .seconds(300)
    /// Until when the bucket is not asked, because it could not be reached.
    private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether the bucket could not be reached within the last five minutes: the coordinator is asked for everything.
    var isPaused: Bool { pausedUntil.withLock { $0.map { $0 > .now } ?? false } }

    /// Notes that the bucket could not be reached.
    func pause() { pausedUntil.withLock { $0 = .now + Self.lifetime } }
    private let entries = Mutex<[ContentDigest: Entry]>([:])

    /// The address of an asset; nil when none is known, or it is old.
    func address(of digest: ContentDigest) -> String? {
        entries.withLock { entries in
            guard let entry = entries[digest] else { return nil }
            guard entry.until > .now else {
                entries[digest] = nil
                return nil
            }
            return entry.address
        }
    }

    /// Remembers an address; nil forgets it.
    func remember(_ address: String?, of digest: ContentDigest) {
        entries.withLock { entries in
            if entries.count >= 1000 { entries = entries.filter { $0.value.until > .now } }
            entries[digest] = address.map { Entry(address: $0, until: .now + Self.lifetime) }
        }
    }
}
