import Farm
import Logging
import ServiceLifecycle

/// Removes the events and attempts of jobs that ended long ago. The jobs stay, with their tasks, plan and movie.
struct HistorySweeper: Service {
    /// The number of jobs of one transaction.
    private static let batch = 50

    let store: any FarmStore
    /// The time after a job's end when its history is removed; nil removes nothing.
    let retention: Duration?
    /// The time between two sweeps.
    let interval: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await sweep() } while (try? await clock.sleep(for: interval)) != nil
        }
    }

    private func sweep() async {
        guard let retention else { return }
        do throws(FarmStoreError) {
            var count = 0
            while true {
                let forgotten = try await store.forget(finishedBefore: retention.milliseconds, limit: Self.batch)
                count += forgotten
                if forgotten < Self.batch { break }
            }
            if count > 0 { logger.info("old jobs' history removed", metadata: ["jobs": "\(count)"]) }
        } catch {
            logger.warning("old history cannot be removed", metadata: ["error": "\(error)"])
        }
    }
}
