import Farm
import Logging
import ServiceLifecycle

/// Lets leases expire, twice a second, and withdraws what workers made that an audit has found faulty. Every coordinator of
/// a farm does; only a sweep makes an overdue task grantable.
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
            for withdrawal in try await store.withdrawFaulty() {
                metrics.convicted()
                logger.error(
                    "a worker is faulty and blocked; its parts are rendered again",
                    metadata: [
                        "worker": "\(withdrawal.worker.name)", "reason": "\(withdrawal.worker.reason)",
                        "tasks": "\(withdrawal.tasks.count)",
                    ]
                )
            }
        } catch {
            logger.warnUnlessCancelled("leases cannot be swept", error)
        }
    }
}
