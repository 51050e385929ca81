import CLibPQ

extension Connection {
    /// Stores rows by one COPY (PostgreSQL manual §34.10). Outside of a transaction all are stored or none.
    /// - Throws: ``DatabaseError`` with the server's SQLSTATE, or one for which `isConnectionLost` holds.
    package func copy(_ rows: CopyRows, file: String = #fileID, line: Int = #line) throws(DatabaseError) {
        guard rows.count > 0 else { return }
        let place = "\(file):\(line)"
        guard PQsendQuery(raw, "COPY \(rows.target) FROM STDIN") == 1 else { throw lost(place) }
        try flush(place)
        guard let answer = try nextResult(place) else { throw lost(place) }
        defer { PQclear(answer) }
        guard PQresultStatus(answer) == PGRES_COPY_IN else {
            let refusal = error(in: answer, place)
            _ = try? results(place)
            throw refusal
        }
        try send(rows.bytes, place)
        // The server tells only now what is wrong with a row.
        guard PQputCopyEnd(raw, nil) == 1 else { throw lost(place) }
        let stored = try results(place).reduce(0) { $0 + $1.affectedCount }
        guard stored == rows.count else {
            throw DatabaseError(
                code: DatabaseError.staleRow,
                message: "\(stored) of \(rows.count) rows were stored.",
                place: place
            )
        }
    }

    /// Sends in parts that fit libpq's buffer, so that a server that stalls is noticed.
    private func send(_ bytes: [UInt8], _ place: String) throws(DatabaseError) {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.copyPart, bytes.count)
            let sent = bytes[start..<end].withUnsafeBytes { part in
                PQputCopyData(raw, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count))
            }
            switch sent {
            case 1: start = end
            case 0: break
            default: throw lost(place)
            }
            try flush(place)
        }
    }

    private static let copyPart = 1 << 16
}
