import Farm
import Logging
import ServiceLifecycle

/// Lets leases expire, twice a second. Every coordinator of a farm does; only a sweep makes an overdue task grantable.
struct ExpirySweeper: Service {
    let store: any FarmStore
    let metrics: FarmMetrics
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(for: .milliseconds(500))) != nil { await sweep() }
        }
    }

    private func sweep() async {
        do throws(FarmStoreError) {
            switch try await store.sweep() {
            case .advanced(let expired) where expired > 0:
                metrics.failed(FarmFailure.leaseExpired, count: expired)
                logger.info("leases expired", metadata: ["attempts": "\(expired)"])
            case .forgave(let count) where count > 0:
                logger.warning("the farm slept; its leases were moved", metadata: ["attempts": "\(count)"])
            case .advanced, .forgave: break
            }
        } catch {
            logger.warning("leases cannot be swept", metadata: ["error": "\(error)"])
        }
    }
}
