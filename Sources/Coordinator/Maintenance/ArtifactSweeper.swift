import Logging
import ServiceLifecycle
import Storage

/// Removes what dead processes left in the artifact store: at the start, then every five seconds, so that
/// nothing outlives two leases.
struct ArtifactSweeper: Service {
    let artifacts: ArtifactStore
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                let removed = (try? await blocking { artifacts.sweep() }) ?? 0
                if removed > 0 { logger.info("abandoned files removed", metadata: ["count": "\(removed)"]) }
            } while (try? await clock.sleep(for: .seconds(5))) != nil
        }
    }
}
