import CLibPQ
import Foundation

extension Connection {
    /// Stores rows by one COPY (PostgreSQL manual §34.10). Outside of a transaction all are stored or none.
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE, or one for which `isConnectionLost` holds.
    package func copy(_ rows: CopyRows, file: String = #fileID, line: Int = #line) throws(DatabaseError) {
        guard rows.count > 0 else { return }
        try copy("\(rows.target) FROM STDIN", count: rows.count, "\(file):\(line)") { (place) throws(DatabaseError) in
            try send(rows.bytes, place)
        }
    }

    /// Stores rows whose values may be large, by a COPY in the binary format, which is sent in small parts. As a
    /// parameter of a statement, a value would be copied into libpq's buffer whole, and a connection never makes its
    /// buffer smaller again.
    ///
    /// - Parameters:
    ///   - rows: the values of each row, one for each column, whose types must be those of the fields.
    ///   - target: the table and, in parentheses, its columns.
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE; 54000 before anything is sent when a value is too long;
    ///   or one for which `isConnectionLost` holds.
    package func copy(
        rows: [[CopyField]],
        into target: String,
        file: String = #fileID,
        line: Int = #line
    ) throws(DatabaseError) {
        let place = "\(file):\(line)"
        guard !rows.isEmpty else { return }
        let values = try rows.map { (fields) throws(DatabaseError) in
            try fields.map { (field) throws(DatabaseError) in try field.encoded(place) }
        }
        try copy("\(target) FROM STDIN WITH (FORMAT binary)", count: rows.count, place) {
            (place) throws(DatabaseError) in
            // The signature, no flags, no extension; then of each row the number of fields, and each field behind its
            // length; and the end.
            try send(Data("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Data(count: 8), place)
            for row in values {
                // A table has at most 1600 columns: the server refuses a row of more fields.
                try send(Int16(clamping: row.count).bigEndianBytes, place)
                for value in row {
                    try send(Int32(value.count).bigEndianBytes, place)
                    try send(value, place)
                }
            }
            try send(Int16(-1).bigEndianBytes, place)
        }
    }

    private func copy(
        _ statement: String,
        count: Int,
        _ place: String,
        _ sendRows: (_ place: String) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try startCopy(statement, place)
        try sendRows(place)
        let stored = try endCopy(place).reduce(0) { $0 + $1.affectedCount }
        guard stored == count else {
            throw DatabaseError(
                code: DatabaseError.staleRow,
                message: "\(stored) of \(count) rows were stored.",
                place: place
            )
        }
    }

    /// Begins a COPY: the server waits for rows (``send(_:_:)``), and its timeouts do not count until ``endCopy(_:)``.
    func startCopy(_ statement: String, _ place: String) throws(DatabaseError) {
        guard PQsendQuery(raw, "COPY \(statement)") == 1 else { throw lost(place) }
        try flush(place)
        guard let answer = try nextResult(place) else { throw lost(place) }
        defer { PQclear(answer) }
        guard PQresultStatus(answer) == PGRES_COPY_IN else {
            let refusal = error(in: answer, place)
            _ = try? results(place)
            throw refusal
        }
    }

    /// Ends the COPY that ``startCopy(_:_:)`` began. The server tells only now what is wrong with a row.
    func endCopy(_ place: String) throws(DatabaseError) -> [ResultSet] {
        guard PQputCopyEnd(raw, nil) == 1 else { throw lost(place) }
        return try results(place)
    }

    /// Sends bytes of rows to the COPY that ``startCopy(_:_:)`` began.
    func send(_ bytes: some ContiguousBytes, _ place: String) throws(DatabaseError) {
        do {
            try bytes.withUnsafeBytes { bytes in try sendParts(bytes, place) }
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw lost(place)
        }
    }

    /// Sends in parts that fit libpq's buffer, so that a server that stalls is noticed.
    private func sendParts(_ bytes: UnsafeRawBufferPointer, _ place: String) throws(DatabaseError) {
        var start = 0
        while start < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.copyPart, bytes.count)])
            switch PQputCopyData(raw, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count)) {
            case 1: start += part.count
            case 0: break
            default: throw lost(place)
            }
            try flush(place)
        }
    }

    private static let copyPart = 1 << 16
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant first.
    fileprivate var bigEndianBytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
}
