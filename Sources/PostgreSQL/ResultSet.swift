import CLibPQ

/// The rows of one statement, in the server's text form. It owns the `PGresult` and stays with its connection.
package final class ResultSet {
    private let raw: OpaquePointer
    private let columns: [String: Int32]
    let place: String

    init(owning raw: OpaquePointer, place: String) {
        self.raw = raw
        self.place = place
        var columns: [String: Int32] = [:]
        for index in 0..<PQnfields(raw) {
            guard let name = PQfname(raw, index) else { continue }
            columns[String(cString: name)] = index
        }
        self.columns = columns
    }

    deinit { PQclear(raw) }

    /// The number of rows that an INSERT, UPDATE or DELETE touched; 0 for other statements.
    package var affectedCount: Int {
        guard let text = PQcmdTuples(raw) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// The statement as the server calls it, such as `COMMIT` or `UPDATE 3`.
    var command: String { PQcmdStatus(raw).map { String(cString: $0) } ?? "" }

    /// - Returns: nil for NULL.
    func text(row: Int, column name: String) throws(DatabaseError) -> String? {
        guard let column = columns[name] else { throw wrongColumn(name, "is not in the result") }
        if PQgetisnull(raw, Int32(row), column) == 1 { return nil }
        guard let bytes = PQgetvalue(raw, Int32(row), column) else { return nil }
        let length = Int(PQgetlength(raw, Int32(row), column))
        return String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: length),
            as: UTF8.self
        )
    }

    func wrongColumn(_ name: String, _ problem: String) -> DatabaseError {
        DatabaseError(code: DatabaseError.wrongColumn, message: "Column “\(name)” \(problem).", place: place)
    }
}

extension ResultSet: RandomAccessCollection {
    /// The index of the first row.
    package var startIndex: Int { 0 }
    /// The number of rows.
    package var endIndex: Int { Int(PQntuples(raw)) }
    /// The row at a position from 0.
    package subscript(position: Int) -> Row { Row(set: self, index: position) }
}

/// One row; valid as long as it is held.
package struct Row {
    let set: ResultSet
    let index: Int

    /// Reads a column.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/wrongColumn`` when it is missing, NULL or no `Value`.
    package func get<Value: ColumnValue>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws(DatabaseError)
        -> Value
    {
        guard let value = try optional(column, as: type) else { throw set.wrongColumn(column, "is null") }
        return value
    }

    /// Reads a column that may be NULL.
    /// - Returns: nil for NULL.
    /// - Throws: ``DatabaseError`` with ``DatabaseError/wrongColumn`` when it is missing or no `Value`.
    package func optional<Value: ColumnValue>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws(DatabaseError)
        -> Value?
    {
        guard let text = try set.text(row: index, column: column) else { return nil }
        guard let value = Value(columnText: text) else { throw set.wrongColumn(column, "is no \(Value.self)") }
        return value
    }
}
