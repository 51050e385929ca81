import Logging
import ServiceLifecycle
import Storage

/// Removes what dead processes left in the artifact store, and uploads that nobody goes on with: at the start, then every
/// five seconds, so that nothing of a process outlives two leases.
struct ArtifactSweeper: Service {
    let artifacts: ArtifactStore
    /// The time without a byte after which an unfinished upload is removed.
    let uploadIdle: Duration
    let space: SpaceWatch
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                let removed = (try? await blocking { artifacts.sweep() }) ?? 0
                let seconds = Int(uploadIdle.components.seconds)
                let forgotten =
                    (try? await blocking {
                        let lacking = space.lackingForParts
                        // Uploads that nobody goes on with hold no job up.
                        let first = lacking > 0 ? artifacts.removeUploads(untouchedFor: 600, freeing: lacking) : 0
                        return first + artifacts.removeUploads(untouchedFor: seconds)
                    }) ?? 0
                if forgotten > 0 {
                    logger.info("unfinished uploads removed", metadata: ["count": "\(forgotten)"])
                }
                if removed > 0 { logger.info("abandoned files removed", metadata: ["count": "\(removed)"]) }
            } while (try? await clock.sleep(for: .seconds(5))) != nil
        }
    }
}
