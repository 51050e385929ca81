public import Farm
public import Logging
public import PostgreSQL
import Shared
import Synchronization

/// The farm's memory in PostgreSQL. Every operation is one transaction at READ COMMITTED on the primary: it locks the
/// rows it decides on, asks the pure core, and writes what the core says with the states it decided from
/// (``FarmStore`` shows the shape).
///
/// An operation is tried again by itself for about seven seconds when the database went away or undid it.
public final class PostgresFarmStore: ClockedFarmStore {
    let pool: ConnectionPool
    let policy: FarmPolicy
    let identifiers: IdentifierSource
    let changeNews: ChangeNews
    private let standingClock = Mutex<FarmTime?>(nil)

    /// Connects and brings the schema up to date.
    ///
    /// - Parameter connections: most at a time, beside one that listens.
    /// - Throws: ``DatabaseError``: the database cannot be reached, refuses the role, or was made by a newer program.
    public static func open(
        _ target: ConnectionTarget,
        policy: FarmPolicy = FarmPolicy(),
        identifiers: IdentifierSource = IdentifierSource(),
        connections: Int = 8,
        logger: Logger
    ) async throws -> PostgresFarmStore {
        let pool = ConnectionPool(target: target, size: connections, logger: logger)
        // A wrong address is for the user to mend: told at once, not after seven seconds.
        try await pool.checkHealth()
        try await Migrator(FarmSchema.migrations).run(on: pool)
        return PostgresFarmStore(pool: pool, policy: policy, identifiers: identifiers, logger: logger)
    }

    private init(pool: ConnectionPool, policy: FarmPolicy, identifiers: IdentifierSource, logger: Logger) {
        self.pool = pool
        self.policy = policy
        self.identifiers = identifiers
        changeNews = ChangeNews(target: pool.target, logger: logger)
    }

    deinit { pool.close() }

    /// - Throws: ``FarmStoreError/unavailable(_:)`` unless the database answers.
    public func checkHealth() async throws(FarmStoreError) {
        do { try await pool.checkHealth() } catch { throw .unavailable("\(error)") }
    }

    public func setClock(_ now: FarmTime) { standingClock.withLock { $0 = now } }

    public func now() async throws(FarmStoreError) -> FarmTime { try await transact { _, now in now } }

    public func changes() async -> AsyncStream<Void> { changeNews.stream() }

    /// One operation: `body` decides at one instant of the database's clock and writes; it may run more than once.
    func transact<Answer: Sendable>(
        file: String = #fileID,
        line: Int = #line,
        _ body: @Sendable (isolated Connection, FarmTime) throws -> Answer
    ) async throws(FarmStoreError) -> Answer {
        let clock = standingClock.withLock { $0 }
        do {
            return try await pool.transaction(isRepeatable: true, file: file, line: line) { connection in
                try body(connection, try Self.now(connection, standing: clock))
            }
        } catch let error as FarmStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
    }

    private static func now(_ connection: isolated Connection, standing clock: FarmTime?) throws -> FarmTime {
        if let clock { try connection.query("SELECT set_config('cutfarm.now', $1, true)", ["\(clock.milliseconds)"]) }
        return try connection.query("SELECT farm_now() AS now")[0].time("now")
    }
}
