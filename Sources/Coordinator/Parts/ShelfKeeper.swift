import Logging
import ServiceLifecycle
package import Storage

/// Makes room on the disk of a farm without a database while it works: parts of earlier runs can be rendered again, and
/// nobody else would remove them.
struct ShelfKeeper: Service {
    /// The time between two looks at the disk. On a large disk 512 MiB are kept free, which render processes do not write in
    /// that time; for a movie, room is made before it is joined (``ShelvedParts/makeRoom(for:)``).
    private static let betweenLooks: Duration = .milliseconds(250)
    /// The time after a look that found nothing to remove: each lists all parts, and keeps others from taking any.
    private static let afterNothing: Duration = .seconds(5)

    let shelf: PartShelf
    /// The room on the disk; nil where it is not known.
    let space: @Sendable () -> DiskSpace?
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(for: await look())) != nil {}
        }
    }

    /// Removes the least recently used parts where the disk is nearly full.
    /// - Returns: the time until the next look.
    private func look() async -> Duration {
        do {
            let removed = try await blocking { [shelf, space] in try shelf.makeRoom(in: space()) }
            guard let removed else { return Self.betweenLooks }
            return removed.isEmpty ? Self.afterNothing : Self.betweenLooks
        } catch {
            logger.warnUnlessCancelled("parts cannot be removed", error)
            return Self.afterNothing
        }
    }
}

extension PartShelf {
    /// Removes the least recently used parts where a disk is nearly full.
    /// - Parameters:
    ///   - space: the room on the disk; nil where it is not known.
    ///   - byteCount: the bytes that are about to be written.
    /// - Returns: what was removed; nil where the disk is not nearly full.
    /// - Throws: ``StorageError`` when the shelf cannot be locked.
    @discardableResult
    package func makeRoom(in space: DiskSpace?, for byteCount: Int64 = 0) throws(StorageError) -> [Entry]? {
        guard let space else { return nil }
        let lacking = byteCount + 2 * space.reserve - space.free
        return lacking > 0 ? try makeRoom(for: lacking) : nil
    }
}
