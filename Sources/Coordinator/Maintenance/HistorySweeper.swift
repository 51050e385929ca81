import Farm
import Logging
import ServiceLifecycle

/// Removes what ended jobs need not keep: the events and attempts of those that ended long ago, and the tasks and
/// documents beyond what an owner may keep. The jobs stay, with their movie.
struct HistorySweeper: Service {
    /// The number of jobs of one transaction.
    private static let batch = 50
    /// The most bytes of text that all logs of attempts have; the least recently written go first.
    static let logBytes: Int64 = 64 << 20

    let store: any FarmStore
    /// The time after a job's end when its history is removed; nil removes nothing.
    let retention: Duration?
    /// The time between two removals of old history.
    let interval: Duration
    /// The time between two removals of what is beyond an owner's quota.
    let pruningInterval: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                if let retention { group.addTask { await forget(after: retention) } }
                group.addTask { await prune() }
                group.addTask { await trimLogs() }
            }
        }
    }

    private func forget(after retention: Duration) async {
        repeat {
            await removeAll("old jobs' history removed") { () async throws(FarmStoreError) in
                try await store.forget(finishedBefore: retention.milliseconds, limit: Self.batch)
            }
        } while (try? await clock.sleep(for: interval)) != nil
    }

    private func prune() async {
        repeat {
            await removeAll("ended jobs' tasks removed") { () async throws(FarmStoreError) in
                try await store.prune(limit: Self.batch)
            }
        } while (try? await clock.sleep(for: pruningInterval)) != nil
    }

    /// Once a minute: in that time even a thousand workers add little.
    private func trimLogs() async {
        repeat {
            do throws(FarmStoreError) {
                try await store.trimLogs(to: Self.logBytes)
            } catch {
                logger.warnUnlessCancelled("old logs cannot be removed", error)
            }
        } while (try? await clock.sleep(for: .seconds(60))) != nil
    }

    /// Repeats `removal`, which returns the number of jobs, until none remain.
    private func removeAll(_ done: Logger.Message, _ removal: () async throws(FarmStoreError) -> Int) async {
        do throws(FarmStoreError) {
            var count = 0
            while true {
                let removed = try await removal()
                count += removed
                if removed < Self.batch { break }
            }
            if count > 0 { logger.info(done, metadata: ["jobs": "\(count)"]) }
        } catch {
            logger.warnUnlessCancelled("old history cannot be removed", error)
        }
    }
}
