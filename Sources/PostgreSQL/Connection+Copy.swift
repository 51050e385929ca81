import CLibPQ
package import Foundation

extension Connection {
    /// Stores rows by one COPY (PostgreSQL manual §34.10). Outside of a transaction all are stored or none.
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE, or one for which `isConnectionLost` holds.
    package func copy(_ rows: CopyRows, file: String = #fileID, line: Int = #line) throws(DatabaseError) {
        guard rows.count > 0 else { return }
        try copy("\(rows.target) FROM STDIN", count: rows.count, "\(file):\(line)") { (place) throws(DatabaseError) in
            try send(rows.bytes, place)
        }
    }

    /// Stores one row whose values may be large, by a COPY in the binary format. libpq's buffer, which a connection keeps
    /// as large as it ever was, stays small.
    ///
    /// - Parameters:
    ///   - fields: the values, in the binary form of their columns' types: the bytes of a `bytea`, 16 bytes of a `uuid`.
    ///   - target: the table and, in parentheses, its columns.
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE, or one for which `isConnectionLost` holds.
    package func copy(
        row fields: [Data],
        into target: String,
        file: String = #fileID,
        line: Int = #line
    ) throws(DatabaseError) {
        try copy("\(target) FROM STDIN WITH (FORMAT binary)", count: 1, "\(file):\(line)") {
            (place) throws(DatabaseError) in
            // The signature, no flags, no extension; then the number of fields, each field behind its length, and the end.
            try send(Data("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Data(count: 8), place)
            try send(Int16(fields.count).bigEndianBytes, place)
            for field in fields {
                try send(Int32(field.count).bigEndianBytes, place)
                try send(field, place)
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
        guard PQsendQuery(raw, "COPY \(statement)") == 1 else { throw lost(place) }
        try flush(place)
        guard let answer = try nextResult(place) else { throw lost(place) }
        defer { PQclear(answer) }
        guard PQresultStatus(answer) == PGRES_COPY_IN else {
            let refusal = error(in: answer, place)
            _ = try? results(place)
            throw refusal
        }
        try sendRows(place)
        // The server tells only now what is wrong with a row.
        guard PQputCopyEnd(raw, nil) == 1 else { throw lost(place) }
        let stored = try results(place).reduce(0) { $0 + $1.affectedCount }
        guard stored == count else {
            throw DatabaseError(
                code: DatabaseError.staleRow,
                message: "\(stored) of \(count) rows were stored.",
                place: place
            )
        }
    }

    private func send(_ bytes: some ContiguousBytes, _ place: String) throws(DatabaseError) {
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
