import Logging
import PostgreSQL

/// Ends sessions of other coordinators that were stopped in the middle of a COPY, so that nobody waits for their locks.
/// A stopped coordinator that goes on finds its session closed, and begins the transaction again.
struct StalledCopyWatch: Sendable {
    /// The time between two looks: a COPY that receives nothing for so long is ended at the second of them.
    static let interval = Duration.seconds(10)

    let pool: ConnectionPool
    let clock: any Clock<Duration>
    let logger: Logger

    /// Looks until the task is cancelled.
    func run() async {
        var copies = StalledCopies()
        while (try? await clock.sleep(for: Self.interval)) != nil {
            do {
                let known = copies
                let (seen, ended) = try await pool.run { connection in
                    var seen = known
                    return (seen, try seen.endStalled(connection))
                }
                copies = seen
                if ended > 0 {
                    logger.warning("sessions that stalled in a COPY were ended", metadata: ["sessions": "\(ended)"])
                }
            } catch {
                // Other operations report a database that is away; the next look finds it.
                logger.debug("stalled sessions cannot be looked for", metadata: ["error": "\(error)"])
            }
        }
    }
}
