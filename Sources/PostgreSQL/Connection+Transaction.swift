extension Connection {
    /// Runs `body` between BEGIN and COMMIT, at READ COMMITTED; rolls back when it throws.
    ///
    /// - Throws: what `body` throws, or ``DatabaseError``; `isCommitInDoubt` is set when nobody knows whether the
    ///   transaction is in.
    package func transaction<Value>(
        file: String = #fileID,
        line: Int = #line,
        _ body: (isolated Connection) throws -> Value
    ) throws -> Value {
        try conclude(file, line) {
            try batch([Self.begin], file: file, line: line)
            return try body(self)
        }
    }

    /// Runs `body` in a transaction, after statements that are sent together with BEGIN to save round trips.
    /// - Parameter opening: the statements; their results are given to `body`.
    /// - Throws: what `body` throws, or ``DatabaseError``; `isCommitInDoubt` is set when nobody knows whether the
    ///   transaction is in.
    package func transaction<Value>(
        opening: [Statement],
        file: String = #fileID,
        line: Int = #line,
        _ body: (isolated Connection, [ResultSet]) throws -> Value
    ) throws -> Value {
        try conclude(file, line) {
            let results = try batch([Self.begin] + opening, file: file, line: line)
            return try body(self, Array(results.dropFirst()))
        }
    }

    private static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")

    private func conclude<Value>(_ file: String, _ line: Int, _ work: () throws -> Value) throws -> Value {
        do {
            let value = try work()
            try commit(file, line)
            return value
        } catch {
            // After a lost connection there is nothing to roll back: the server does it.
            try? execute("ROLLBACK", file: file, line: line)
            throw error
        }
    }

    /// A transaction that failed on the way answers COMMIT with `ROLLBACK` and no error.
    private func commit(_ file: String, _ line: Int) throws(DatabaseError) {
        do throws(DatabaseError) {
            let answer = try query("COMMIT", file: file, line: line).command
            guard answer == "COMMIT" else {
                throw DatabaseError(code: "25P02", message: "The transaction was undone.", place: "\(file):\(line)")
            }
        } catch {
            var error = error
            error.isCommitInDoubt = error.isConnectionLost
            throw error
        }
    }
}
