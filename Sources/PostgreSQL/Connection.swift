import CLibPQ
import Glibc
package import Logging
import Synchronization
import Threads

/// One connection to PostgreSQL on a thread of its own.
///
/// Its methods block that thread and nothing else. Work that belongs together runs in one ``run(_:)`` (one hop there
/// and back), inside which all calls are synchronous and nothing interleaves.
package actor Connection {
    private let executor: ThreadExecutor
    /// The connection's own thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let owned: Owned
    var raw: OpaquePointer { owned.connection }
    let logger: Logger
    /// How long the server may leave one statement without an answer before the connection counts as lost.
    let answerLimit: Duration
    private let canceller: Canceller
    /// Statements that the server has parsed and keeps under a name.
    var prepared = PreparedStatements()

    /// - Parameters:
    ///   - settings: SET statements for the session.
    ///   - answerLimit: longer than a stall of the database that should cost no work (60 s).
    /// - Throws: ``DatabaseError`` with ``DatabaseError/connectionLost`` and libpq's reason, or the server's own code.
    package static func open(
        _ target: ConnectionTarget,
        settings: String = "",
        logger: Logger,
        answerLimit: Duration = .seconds(120)
    ) async throws(DatabaseError) -> Connection {
        let executor = ThreadExecutor(name: "database")
        let raw: Handshake.Opened
        do {
            raw = try await Handshake(executor: executor).connect(target)
        } catch {
            executor.stop()
            throw error
        }
        let connection = Connection(executor: executor, raw: raw.pointer, logger: logger, answerLimit: answerLimit)
        try await connection.execute(sessionSettings + settings)
        return connection
    }

    /// A program that is stopped (SIGSTOP) in the middle of a transaction must not hold its locks for ever; in a COPY,
    /// where this timeout does not count, ``StalledCopies`` ends it. Keepalives find a client whose machine or network
    /// is gone within 25 s, also in a COPY; those of most systems begin after two hours.
    private static let sessionSettings = """
        SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '30s'; SET client_min_messages = warning;
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
        """

    private init(executor: ThreadExecutor, raw: OpaquePointer, logger: Logger, answerLimit: Duration) {
        self.executor = executor
        owned = Owned(connection: raw, notices: .passRetained(NoticeLog(logger)))
        self.logger = logger
        self.answerLimit = answerLimit
        canceller = Canceller(raw)
        PQsetNoticeProcessor(raw, logNotice, owned.notices.toOpaque())
    }

    deinit {
        executor.stop { [owned] in
            PQfinish(owned.connection)
            owned.notices.release()
        }
    }

    /// Runs `body` on this connection's thread.
    /// - Throws: what `body` throws.
    package func run<Value: Sendable>(_ body: @Sendable (isolated Connection) throws -> Value) throws -> Value {
        try body(self)
    }

    enum Lent<Value: Sendable>: Sendable {
        /// The server closed it while it was idle: nothing ran.
        case refused
        case ran(Result<Value, any Error>, isUsable: Bool)
    }

    /// ``run(_:)`` with a look at the connection before and after, all in one hop.
    func lend<Value: Sendable>(_ body: @Sendable (isolated Connection) throws -> Value) -> Lent<Value> {
        guard isUsable else { return .refused }
        let result = Result { try body(self) }
        return .ran(result, isUsable: isUsable)
    }

    /// Asks the server to stop the statement under way, which then fails with `57014`. Does nothing when none is.
    package nonisolated func cancel() { canceller.cancel() }

    /// false once the connection broke; a new one must be opened. Looks whether the server closed it while it was idle.
    package var isUsable: Bool {
        guard PQstatus(raw) == CONNECTION_OK, PQtransactionStatus(raw) == PQTRANS_IDLE, !prepared.areOutdated else {
            return false
        }
        var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        // The server's last words come before the end of the stream: read until nothing is left.
        while poll(&descriptor, 1, 0) > 0 {
            guard PQconsumeInput(raw) == 1 else { return false }
        }
        return PQstatus(raw) == CONNECTION_OK
    }
}

/// What a connection has to give back; only its thread touches it.
private struct Owned: @unchecked Sendable {
    let connection: OpaquePointer
    let notices: Unmanaged<NoticeLog>
}

/// Connecting blocks as well: it happens on the thread the connection will live on.
private actor Handshake {
    /// Handed from the thread that connected to the actor that will own it; used by one at a time.
    struct Opened: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(executor: ThreadExecutor) { self.executor = executor }

    func connect(_ target: ConnectionTarget) throws(DatabaseError) -> Opened {
        guard let raw = Self.start(target) else {
            throw DatabaseError(code: "53200", message: "There is no memory for a database connection.")
        }
        guard PQstatus(raw) == CONNECTION_OK, PQsetnonblocking(raw, 1) == 0 else {
            defer { PQfinish(raw) }
            throw refusal(raw, target)
        }
        return Opened(pointer: raw)
    }

    /// Settings before `dbname` are defaults that the connection string may replace, those after it are ours
    /// (PostgreSQL manual §34.1, PQconnectdbParams).
    private static func start(_ target: ConnectionTarget) -> OpaquePointer? {
        let settings: [(key: String, value: String)] = [
            ("connect_timeout", "10"), ("keepalives_idle", "30"), ("tcp_user_timeout", "60000"),
            ("fallback_application_name", "cutfarm"), ("dbname", target.text.reveal()), ("client_encoding", "UTF8"),
        ]
        return withCStrings(settings.map(\.key)) { keys in
            withCStrings(settings.map(\.value)) { values in PQconnectdbParams(keys, values, 1) }
        }
    }

    private func refusal(_ raw: OpaquePointer, _ target: ConnectionTarget) -> DatabaseError {
        let reason = String(cString: PQerrorMessage(raw)).split(separator: "\n").joined(separator: " ")
        let isPassword = PQconnectionNeedsPassword(raw) == 1
        return DatabaseError(
            code: isPassword ? "28P01" : DatabaseError.connectionLost,
            message: "The database (\(target.description)) cannot be reached: \(reason)"
        )
    }
}

/// `PGcancel` may be used from any thread (PostgreSQL manual §34.7).
private final class Canceller: Sendable {
    private let raw: Mutex<Int>

    init(_ connection: OpaquePointer) { raw = Mutex(PQgetCancel(connection).map { Int(bitPattern: $0) } ?? 0) }

    deinit { raw.withLock { PQfreeCancel(OpaquePointer(bitPattern: $0)) } }

    func cancel() {
        raw.withLock { bits in
            var reason = [CChar](repeating: 0, count: 256)
            _ = PQcancel(OpaquePointer(bitPattern: bits), &reason, Int32(reason.count))
        }
    }
}

private final class NoticeLog {
    let logger: Logger
    init(_ logger: Logger) { self.logger = logger }
}

private func logNotice(_ log: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?) {
    guard let log, let text else { return }
    let line = String(cString: text).split(separator: "\n").joined(separator: " ")
    Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue().logger.debug("postgresql: \(line)")
}
