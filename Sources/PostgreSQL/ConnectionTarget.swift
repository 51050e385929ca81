import CLibPQ

/// The database and the user of a connection: a connection string of libpq, either `postgresql://…` or `host=…
/// dbname=…`.
///
/// libpq reads it (PostgreSQL manual §34.1.1), so `sslmode`, `passfile`, several hosts and the `PG…` variables work.
package struct ConnectionTarget: Sendable, Hashable {
    let text: Secret
    /// The host, port, database and user as far as they were written; never the password.
    package let description: String

    /// Reads a connection string.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/badAddress``; its sentence does not repeat the text, because a
    ///   password may stand anywhere in it.
    package init(_ text: String) throws(DatabaseError) {
        guard let options = PQconninfoParse(text, nil) else {
            throw DatabaseError(
                code: DatabaseError.badAddress,
                message: "The database URL cannot be read; write it as postgresql://user:password@host:port/database."
            )
        }
        defer { PQconninfoFree(options) }
        self.text = Secret(text)
        self.description = Self.describe(options)
    }

    /// The target of a server that listens on a socket in `folder`.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/badAddress``, which no valid folder causes.
    package init(socketFolder folder: String, user: String, database: String) throws(DatabaseError) {
        try self.init("host=\(Self.quote(folder)) user=\(Self.quote(user)) dbname=\(Self.quote(database))")
    }

    /// The same server and user, with another database.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/badAddress``, which no valid name causes.
    package func database(_ name: String) throws(DatabaseError) -> ConnectionTarget {
        guard let options = PQconninfoParse(text.reveal(), nil) else { return self }
        defer { PQconninfoFree(options) }
        let kept = Self.pairs(options).filter { $0.key != "dbname" } + [(key: "dbname", value: name)]
        return try ConnectionTarget(kept.map { "\($0.key)=\(Self.quote($0.value))" }.joined(separator: " "))
    }

    private static func describe(_ options: UnsafeMutablePointer<PQconninfoOption>) -> String {
        let shown: Set<String> = ["host", "hostaddr", "port", "dbname", "user", "sslmode"]
        return pairs(options).filter { shown.contains($0.key) }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private static func pairs(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [(key: String, value: String)] {
        var found: [(key: String, value: String)] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                found.append((key: String(cString: keyword), value: String(cString: value)))
            }
            option += 1
        }
        return found
    }

    private static func quote(_ value: String) -> String {
        var quoted = "'"
        for character in value {
            if character == "'" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "'"
    }
}

extension ConnectionTarget: CustomStringConvertible {}
