package import Farm
package import Logging
package import PostgreSQL
import Synchronization

/// The farm's state in PostgreSQL. Every operation is one transaction at READ COMMITTED on the primary: it locks the
/// rows it decides on, asks the pure core, and writes the core's decision with the states it decided from
/// (``FarmStore`` shows the shape).
///
/// An operation is repeated for about seven seconds when the database is unreachable or rolls it back.
package final class PostgresFarmStore: ClockedFarmStore {
    let pool: ConnectionPool
    let policy: FarmPolicy
    let identifiers: IdentifierSource
    let changeListener: ChangeListener
    let recentLoads = RecentLoads()
    private let standingClock = Mutex<FarmTime?>(nil)
    /// Ends what others left in the middle of a COPY.
    private let watch: Task<Void, Never>

    /// Connects and brings the schema up to date.
    ///
    /// - Parameters:
    ///   - connections: the most connections at a time, beside one that listens.
    ///   - checkoutLimit: how long an operation waits for one of them before it is refused.
    ///   - clock: the clock of waits and retries. Instants are the database's.
    /// - Throws: ``DatabaseError`` when the database cannot be reached, refuses the role, or was made by a newer
    ///   program.
    package static func open(
        _ target: ConnectionTarget,
        policy: FarmPolicy = FarmPolicy(),
        identifiers: IdentifierSource = IdentifierSource(),
        connections: Int = 8,
        checkoutLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) async throws -> PostgresFarmStore {
        let pool = ConnectionPool(
            target: target,
            size: connections,
            settings: sessionSettings,
            checkoutLimit: checkoutLimit,
            clock: clock,
            logger: logger
        )
        // The user must correct a wrong address, so it is reported at once, not after seven seconds.
        try await pool.checkHealth()
        try await Migrator(FarmSchema.migrations).run(on: pool)
        return PostgresFarmStore(
            pool: pool,
            policy: policy,
            identifiers: identifiers,
            listener: ChangeListener(target: target, clock: clock, logger: logger),
            watch: StalledCopyWatch(pool: pool, clock: clock, logger: logger)
        )
    }

    /// Session settings for plans that do not depend on statistics: a queue's are always stale, and a table that was
    /// empty when a statement was planned would be scanned completely when it is full.
    private static let sessionSettings =
        "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off"

    private init(
        pool: ConnectionPool,
        policy: FarmPolicy,
        identifiers: IdentifierSource,
        listener: ChangeListener,
        watch: StalledCopyWatch
    ) {
        self.pool = pool
        self.policy = policy
        self.identifiers = identifiers
        changeListener = listener
        self.watch = Task { await watch.run() }
    }

    deinit {
        watch.cancel()
        pool.close()
    }

    /// Stops listening to the database and closes every connection that nobody uses. It is called once nothing of the
    /// farm is asked for any more, before the database's server is stopped: whoever still listened then would take it for
    /// a crash.
    package func close() async {
        await changeListener.close()
        pool.close()
    }

    package func setClock(_ now: FarmTime) { standingClock.withLock { $0 = now } }

    package func now() async throws(FarmStoreError) -> FarmTime { try await transact { _, now in now } }

    package func changes() async -> AsyncStream<Void> { changeListener.stream() }

    /// Runs one operation: `body` decides at one instant of the database's clock and writes. It may run more than once.
    ///
    /// - Parameter opening: statements that are read first, in one round trip with the instant. `farm_now()` stands
    ///   still in a transaction.
    /// - Throws: ``FarmStoreError`` that `body` throws; ``FarmStoreError/full`` when the database has no
    ///   room; ``FarmStoreError/unusableRow(_:)`` for rows that are not as expected; ``FarmStoreError/unavailable(_:)`` for
    ///   every other error.
    func transact<Answer: Sendable>(
        opening: [Statement] = [],
        file: String = #fileID,
        line: Int = #line,
        _ body: @Sendable (isolated Connection, FarmTime, ArraySlice<ResultSet>) throws -> Answer
    ) async throws(FarmStoreError) -> Answer {
        let clock = standingClock.withLock { $0 }
        let instant = Statement(
            "SELECT set_config('cutfarm.now', coalesce($1, farm_now()::text), true) AS now",
            [clock.map { String($0.milliseconds) }]
        )
        let statements = [instant] + opening
        do {
            return try await pool.transaction(isRepeatable: true, opening: statements, file: file, line: line) {
                (connection, results) in
                try body(connection, try results[0][0].time("now"), results.dropFirst())
            }
        } catch let error as FarmStoreError {
            throw error
        } catch let error as DatabaseError where error.isDiskFull {
            throw .full
        } catch let error as DatabaseError where error.isUnfitValue {
            throw .invalid("The farm's database has no place for a value of this request: \(error.message)")
        } catch let error as DatabaseError where error.concernsRows {
            throw .unusableRow("\(error)")
        } catch let error as DecodingError {
            throw .unusableRow("\(error)")
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Runs one operation without opening statements (``transact(opening:file:line:_:)``).
    /// - Throws: as the other.
    func transact<Answer: Sendable>(
        file: String = #fileID,
        line: Int = #line,
        _ body: @Sendable (isolated Connection, FarmTime) throws -> Answer
    ) async throws(FarmStoreError) -> Answer {
        try await transact(opening: [], file: file, line: line) { connection, now, _ in try body(connection, now) }
    }
}
