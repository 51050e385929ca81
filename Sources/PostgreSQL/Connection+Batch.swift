import CLibPQ

extension Connection {
    /// Runs the statements in order with one trip to the server and back (pipeline mode, PostgreSQL manual §34.5).
    /// After a failure the rest is not run. Outside of a transaction they are one.
    ///
    /// - Returns: a result for each.
    /// - Throws: the first statement's ``DatabaseError`` that failed; ``DatabaseError/staleRow`` when one touched
    ///   another number of rows than it expected (the others have run: only a transaction undoes them).
    @discardableResult
    package func batch(
        _ statements: [Statement],
        file: String = #fileID,
        line: Int = #line
    ) throws(DatabaseError) -> [ResultSet] {
        guard !statements.isEmpty else { return [] }
        let place = "\(file):\(line)"
        for statement in statements { try statement.requireWholeTexts(place) }
        let sets = try pipelined(statements, place)
        for (statement, set) in zip(statements, sets) {
            guard let expected = statement.expectedCount, expected != set.affectedCount else { continue }
            throw DatabaseError(
                code: DatabaseError.staleRow,
                message: "A statement touched \(set.affectedCount) rows instead of \(expected).",
                detail: statement.sql,
                place: place
            )
        }
        return sets
    }

    private func pipelined(_ statements: [Statement], _ place: String) throws(DatabaseError) -> [ResultSet] {
        guard PQenterPipelineMode(raw) == 1 else { throw lost(place) }
        let sent = try send(statements, place)
        guard PQpipelineSync(raw) == 1 else { throw lost(place) }
        let (sets, failure) = try collect(sent, place)
        guard PQexitPipelineMode(raw) == 1 else { throw lost(place) }
        if let failure {
            prepared.note(failure)
            throw failure
        }
        return sets
    }

    /// What each result that will come belongs to.
    private enum Sent {
        case statement
        case preparation(sql: String, name: String)
    }

    private func send(_ statements: [Statement], _ place: String) throws(DatabaseError) -> [Sent] {
        var sent: [Sent] = []
        var pending: [String: String] = [:]
        for statement in statements {
            let sql = statement.sql
            var name = prepared.name(of: sql) ?? pending[sql]
            if name == nil, let new = prepared.newName(pending: pending.count) {
                guard PQsendPrepare(raw, new, sql, 0, nil) == 1 else { throw lost(place) }
                sent.append(.preparation(sql: sql, name: new))
                pending[sql] = new
                name = new
            }
            guard send(statement, name) else { throw lost(place) }
            sent.append(.statement)
        }
        return sent
    }

    private func send(_ statement: Statement, _ name: String?) -> Bool {
        let count = Int32(statement.parameters.count)
        return withParameters(statement.parameters) { values, lengths, formats in
            if let name { return PQsendQueryPrepared(raw, name, count, values, lengths, formats, 0) == 1 }
            return PQsendQueryParams(raw, statement.sql, count, nil, values, lengths, formats, 0) == 1
        }
    }

    /// A null pointer ends the results of each thing sent; the synchronisation point ends them all.
    private func collect(
        _ sent: [Sent],
        _ place: String
    ) throws(DatabaseError) -> (sets: [ResultSet], failure: DatabaseError?) {
        var sets: [ResultSet] = []
        var failure: DatabaseError?
        var rest = sent[...]
        try flush(place)
        while true {
            guard let result = try nextResult(place) else {
                guard PQstatus(raw) == CONNECTION_OK else { throw lost(place) }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if case .preparation(let sql, let name)? = rest.popFirst() {
                    prepared.keep(sql, as: name)
                    PQclear(result)
                } else {
                    sets.append(ResultSet(owning: result, place: place))
                }
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                return (sets, failure)
            case PGRES_PIPELINE_ABORTED:
                PQclear(result)
            default:
                failure = failure ?? error(in: result, place)
                PQclear(result)
            }
        }
    }
}
