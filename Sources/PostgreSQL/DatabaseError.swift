/// The reason why a statement or a connection failed: a stable code, one sentence, and the statement's place in our
/// source.
package struct DatabaseError: Error, Sendable, Hashable {
    /// SQLSTATE of five characters (PostgreSQL manual, appendix A), or one of the codes below.
    package var code: String
    /// One sentence, without values of parameters and without secrets.
    package var message: String
    /// The server's addition, which may name values of a row.
    package var detail: String?
    /// The constraint that refused a row; nil when none did.
    package var constraint: String?
    /// The place of the call as `Module/File.swift:line`.
    package var place: String?
    /// Whether the connection went away while COMMIT was under way: nobody knows whether the transaction is in.
    package var isCommitInDoubt = false

    /// Makes the error.
    package init(
        code: String,
        message: String,
        detail: String? = nil,
        constraint: String? = nil,
        place: String? = nil
    ) {
        self.code = code
        self.message = message
        self.detail = detail
        self.constraint = constraint
        self.place = place
    }
}

extension DatabaseError {
    /// The server could not be reached, or the connection broke.
    package static let connectionLost = "08006"
    /// The server did not answer in time; the connection is given up.
    package static let noAnswer = "answer_timeout"
    /// The server ended the session because its transaction was idle for too long.
    package static let idleInTransaction = "25P03"
    /// All connections of the pool were busy for too long.
    package static let poolExhausted = "pool_exhausted"
    /// A column is missing, null or not of the type asked for.
    package static let wrongColumn = "wrong_column"
    /// A statement touched another number of rows than it must: the row changed under us.
    package static let staleRow = "stale_row"
    /// The connection string cannot be read.
    package static let badAddress = "bad_database_url"
    /// The database was made by a newer program.
    package static let tooNew = "database_too_new"

    /// Whether the connection is unusable: classes 08 and 57P, a transaction that was left open for too long (25P03),
    /// and our own time limit. 08P01, `protocol_violation`, is none: the server says so of a value that is too short,
    /// and goes on.
    package var isConnectionLost: Bool {
        (code.hasPrefix("08") && code != "08P01") || code.hasPrefix("57P") || code == Self.idleInTransaction
            || code == Self.noAnswer
    }

    /// Whether the server undid the transaction for reasons that have nothing to do with it: running it again may
    /// succeed. `0A000`, `26000`: the statement kept on the server is out of date; another connection parses it anew.
    package var isConflict: Bool { ["40001", "40P01", "55P03", "0A000", "26000"].contains(code) }

    /// Whether a value has no place in the database: class 22, data exceptions, and class 54, limits of PostgreSQL. The
    /// same statement fails again.
    package var isUnfitValue: Bool { code.hasPrefix("22") || code.hasPrefix("54") }

    /// Whether the database answered, and rows are not what the statement or its reader needs: a column of another form, a
    /// row that changed meanwhile, or a constraint.
    package var concernsRows: Bool { [Self.wrongColumn, Self.staleRow].contains(code) || code.hasPrefix("23") }

    /// Whether the server's disk is full: 53100, `disk_full`.
    package var isDiskFull: Bool { code == "53100" }
}

extension DatabaseError: CustomStringConvertible {
    /// The sentence with code, detail and place.
    package var description: String {
        var text = "\(message) [\(code)]"
        if let detail { text += " (\(detail))" }
        if let place { text += " at \(place)" }
        return text
    }
}
