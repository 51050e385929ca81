import Farm
import Logging
import ServiceLifecycle
import WireProtocol

/// Tells by one event of each job that misses its deadline, or will. Every coordinator of a farm watches; the store tells
/// once.
struct DeadlineWatch: Service {
    let store: any FarmStore
    let outlook: JobOutlook
    let clock: any Clock<Duration>
    let logger: Logger

    /// The time between two looks: an estimate rests on half a minute.
    private static let interval: Duration = .seconds(5)
    /// The most jobs that are looked at: those whose deadlines come first.
    private static let limit = 200

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var looks = DeadlineLooks()
            while (try? await clock.sleep(for: Self.interval)) != nil { await look(&looks) }
        }
    }

    private func look(_ looks: inout DeadlineLooks) async {
        do {
            let jobs = try await outlook.describing(store.jobsWithDeadlines(limit: Self.limit))
            for job in looks.look(jobs, at: try await store.now()) {
                guard let warning = job.deadlineWarning, try await store.tellLate(job.id) else { continue }
                logger.warning("deadline", metadata: ["job": "\(job.id)", "what": "\(warning)"])
            }
        } catch {
            logger.warnUnlessCancelled("deadlines cannot be watched", error)
        }
    }
}
