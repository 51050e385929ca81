import Logging
import ServiceLifecycle
import Storage

/// Keeps a coordinator's copies of objects within their room: the least recently used go first, and sooner where the disk is
/// nearly full. All of them are in the bucket. A quarter of the disk stays free of them, for what comes.
struct ScratchKeeper: Service {
    let folder: ArtifactStore
    let space: SpaceWatch
    /// The most bytes that copies may have.
    let limit: Int64
    let clock: any Clock<Duration>
    let logger: Logger

    /// The seconds without use before which a copy stays, if the disk allows: who has just fetched it is about to link it.
    private static let secondsUnused = 60

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    let removed = try await blocking { [folder, limit, space] in
                        try folder.removeLeastUsed(beyond: limit, freeing: space.lackingForCopies, Self.secondsUnused)
                    }
                    if removed > 0 { logger.info("copies removed", metadata: ["count": "\(removed)"]) }
                } catch {
                    logger.warnUnlessCancelled("copies cannot be removed", error)
                }
            } while (try? await clock.sleep(for: .seconds(5))) != nil
        }
    }
}
