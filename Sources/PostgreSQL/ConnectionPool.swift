package import Logging
import Synchronization

/// N connections that are opened when needed, lent out one at a time and replaced when broken.
package final class ConnectionPool: Sendable {
    private typealias Grant = PoolGrant<Connection>
    private typealias State = PoolState<Connection, CheckedContinuation<Grant, any Error>>

    /// The database and the user.
    package let target: ConnectionTarget
    private let settings: String
    private let logger: Logger
    private let checkoutLimit: Duration
    private let clock: any Clock<Duration>
    private let state: Mutex<State>
    private let tickets = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - size: most connections at a time, ≥ 1.
    ///   - settings: SET statements for each session.
    ///   - checkoutLimit: how long a caller waits for one of them.
    ///   - clock: the clock of that limit, and of the pauses between attempts at a transaction.
    package init(
        target: ConnectionTarget,
        size: Int,
        settings: String = "",
        checkoutLimit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.target = target
        self.settings = settings
        self.logger = logger
        self.checkoutLimit = checkoutLimit
        self.clock = clock
        state = Mutex(State(size: max(1, size)))
    }

    /// Runs `body` on one connection, on that connection's thread.
    ///
    /// - Throws: what `body` throws; ``DatabaseError`` when no connection could be had.
    package func run<Value: Sendable>(_ body: @Sendable (isolated Connection) throws -> Value) async throws -> Value {
        while true {
            let connection = try await checkout()
            switch await connection.lend(body) {
            case .refused: finish(nil)
            case .ran(let result, let isUsable):
                finish(isUsable ? connection : nil)
                return try result.get()
            }
        }
    }

    /// Runs `body` in a transaction, which is tried again when the server undid it or went away.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the body has the same effect when it is committed twice, so that it is also tried
    ///     again when nobody knows whether a COMMIT arrived.
    ///   - opening: statements sent together with BEGIN; their results are given to `body`.
    /// - Throws: what `body` throws; ``DatabaseError`` when no connection could be had, or the transaction cannot
    ///   succeed.
    package func transaction<Value: Sendable>(
        isRepeatable: Bool,
        opening: [Statement] = [],
        file: String = #fileID,
        line: Int = #line,
        _ body: @Sendable (isolated Connection, [ResultSet]) throws -> Value
    ) async throws -> Value {
        var retry = TransactionRetry(isRepeatable: isRepeatable)
        while true {
            do {
                return try await run { connection in
                    try connection.transaction(opening: opening, file: file, line: line, body)
                }
            } catch let error as DatabaseError {
                guard let pause = retry.pause(after: error) else { throw error }
                logger.debug("a transaction is tried again: \(error)")
                try await clock.sleep(for: pause)
            }
        }
    }

    /// - Throws: ``DatabaseError`` unless the database answers.
    package func checkHealth() async throws {
        try await run { connection in _ = try connection.query("SELECT 1") }
    }

    /// Drops the idle connections now, those in use when they come back.
    package func close() {
        let dropped = state.withLock { $0.close() }
        _ = dropped.count
    }

    private func checkout() async throws -> Connection {
        switch try await grant() {
        case .open: try await open()
        case .use(let connection): connection
        }
    }

    private func open() async throws(DatabaseError) -> Connection {
        do {
            return try await Connection.open(target, settings: settings, logger: logger)
        } catch {
            finish(nil)
            throw error
        }
    }

    private func finish(_ connection: Connection?) {
        guard let next = state.withLock({ $0.giveBack(connection) }) else { return }
        next.waiter.resume(returning: next.grant)
    }

    private func grant() async throws -> Grant {
        let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
        // Set by whoever waits, once it does: an alarm before that would find nobody to wake.
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let answer = join(continuation, ticket) { return continuation.resume(with: answer) }
                alarm = Task { [checkoutLimit, clock] in
                    try await clock.sleep(for: checkoutLimit)
                    abandon(ticket, with: exhausted)
                }
            }
        } onCancel: {
            abandon(ticket, with: CancellationError())
        }
    }

    /// - Returns: nil when the caller has to wait.
    private func join(
        _ continuation: CheckedContinuation<Grant, any Error>,
        _ ticket: UInt64
    ) -> Result<Grant, any Error>? {
        state.withLock { state in
            // Under the lock: a cancellation that comes later finds the ticket.
            if Task.isCancelled { return .failure(CancellationError()) }
            switch state.checkout() {
            case .granted(let grant): return .success(grant)
            case .wait:
                state.wait(continuation, ticket: ticket)
                return nil
            }
        }
    }

    private func abandon(_ ticket: UInt64, with error: any Error) {
        state.withLock { $0.giveUp(ticket: ticket) }?.resume(throwing: error)
    }

    private var exhausted: DatabaseError {
        DatabaseError(
            code: DatabaseError.poolExhausted,
            message: "All database connections were busy for \(checkoutLimit.components.seconds) s."
        )
    }
}
