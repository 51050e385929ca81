import CompositionModel
import Farm
import Logging
import ServiceLifecycle
import Storage

/// Keeps the parts within their limit: the least recently used go first, and sooner where the disk is nearly full, so
/// that no job is held up for parts that nobody may ever need.
struct PartKeeper: Service {
    let store: any FarmStore
    let collection: ArtifactCollection
    /// The room on the disk that parts take; nil where they take none.
    let space: SpaceWatch?
    /// The most bytes that parts may have.
    let limit: Int64
    /// The time between two looks.
    let interval: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await round() } while (try? await clock.sleep(for: interval)) != nil
        }
    }

    private func round() async {
        do {
            let total = try await store.partTotals().byteCount
            let allowed = min(limit, max(0, total - (space?.lackingForParts ?? 0)))
            guard total > allowed else { return }
            // When the store is held the next look comes soon; removing rows alone would make no room.
            guard let removed = try await collection.removeParts(.beyond(bytes: allowed)), !removed.isEmpty else {
                return
            }
            logger.info("parts removed", metadata: ["parts": "\(removed.count)"])
        } catch {
            logger.warnUnlessCancelled("parts cannot be removed", error)
        }
    }
}
