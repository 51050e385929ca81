import CLibPQ
import Glibc

extension Connection {
    /// Runs one statement with parameters `$1 …`.
    ///
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE, or one for which `isConnectionLost` holds.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [any Parameter] = [],
        file: String = #fileID,
        line: Int = #line
    ) throws(DatabaseError) -> ResultSet {
        try batch([Statement(sql, parameters)], file: file, line: line)[0]
    }

    /// Runs one statement, or several separated by semicolons, which are one transaction unless they say otherwise.
    /// - Throws: ``DatabaseError`` when the server refuses one, or the connection is lost.
    package func execute(_ sql: String, file: String = #fileID, line: Int = #line) throws(DatabaseError) {
        let place = "\(file):\(line)"
        guard PQsendQuery(raw, sql) == 1 else { throw lost(place) }
        _ = try results(place)
    }

    /// Waits for all results of what was sent. The first error is thrown once all were read, so that the connection is
    /// ready for the next statement.
    func results(_ place: String) throws(DatabaseError) -> [ResultSet] {
        try flush(place)
        var sets: [ResultSet] = []
        var failure: DatabaseError?
        while let result = try nextResult(place) {
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                sets.append(ResultSet(owning: result, place: place))
            default:
                failure = failure ?? error(in: result, place)
                PQclear(result)
            }
        }
        if let failure { throw failure }
        return sets
    }

    func flush(_ place: String) throws(DatabaseError) {
        let end = ContinuousClock.now + answerLimit
        while true {
            switch PQflush(raw) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT, until: end, place)
            default: throw lost(place)
            }
        }
    }

    func nextResult(_ place: String) throws(DatabaseError) -> OpaquePointer? {
        let end = ContinuousClock.now + answerLimit
        while PQisBusy(raw) == 1 { try wait(for: POLLIN, until: end, place) }
        return PQgetResult(raw)
    }

    private func wait(for events: Int32, until end: ContinuousClock.Instant, _ place: String) throws(DatabaseError) {
        var descriptor = pollfd(fd: PQsocket(raw), events: Int16(events), revents: 0)
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw noAnswer(place) }
        let count = poll(&descriptor, 1, Int32(clamping: left.components.seconds * 1000 + 1000))
        guard count >= 0 || errno == EINTR else { throw lost(place) }
        if count > 0, descriptor.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(raw) == 0 {
            throw lost(place)
        }
    }

    func error(in result: OpaquePointer, _ place: String) -> DatabaseError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        guard let code = field(cut_pq_sqlstate) else { return lost(place) }
        return DatabaseError(
            code: code,
            message: field(cut_pq_message) ?? "The database refused a statement.",
            detail: field(cut_pq_detail),
            constraint: field(cut_pq_constraint),
            place: place
        )
    }

    /// The error of a lost connection, with what libpq says, also when it could not even send.
    func lost(_ place: String) -> DatabaseError {
        let reason = String(cString: PQerrorMessage(raw)).split(separator: "\n").joined(separator: " ")
        return DatabaseError(
            code: DatabaseError.connectionLost,
            message: "The connection to the database broke: \(reason.isEmpty ? "it was closed" : reason)",
            place: place
        )
    }

    private func noAnswer(_ place: String) -> DatabaseError {
        shutdown(PQsocket(raw), Int32(SHUT_RDWR))
        PQconsumeInput(raw)
        return DatabaseError(
            code: DatabaseError.noAnswer,
            message: "The database did not answer within \(answerLimit.components.seconds) s.",
            place: place
        )
    }
}
