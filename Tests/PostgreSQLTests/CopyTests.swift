import Foundation
import TestDatabase
import Testing

@testable import PostgreSQL

/// Rows by COPY.
@Suite struct CopyTests {
    private func connection() async throws -> Connection {
        let target = try await TestPostgreSQL.shared.database()
        let connection = try await Connection.open(target, logger: quiet)
        try await connection.run { try $0.execute("CREATE TABLE part (n int PRIMARY KEY, text text, list int[])") }
        return connection
    }

    @Test func valuesArriveAsTheyAre() async throws {
        let texts = ["", "a\tb\nc\rd", "\\N", "\\.", "\\", "“ü”🎬", "NULL", "a\\tb"]
        try await connection().run { connection in
            var rows = CopyRows(into: "part (n, text, list)")
            for (number, text) in texts.enumerated() { rows.add([number, text, [number, 7]]) }
            rows.add([texts.count, nil as String?, nil as [Int]?])
            try connection.copy(rows)
            let read = try connection.query("SELECT text, list::text AS list FROM part ORDER BY n")
            #expect(try read.dropLast().map { try $0.get("text", as: String.self) } == texts)
            #expect(try read[3].get("list", as: String.self) == "{3,7}")
            #expect(try read[texts.count].optional("text", as: String.self) == nil)
        }
    }

    /// More than fits any buffer.
    @Test func manyRowsArrive() async throws {
        try await connection().run { connection in
            var rows = CopyRows(into: "part (n, text)")
            for number in 0..<20_000 { rows.add([number, String(repeating: "x", count: 500)]) }
            try connection.copy(rows)
            #expect(try connection.query("SELECT count(*) AS n FROM part")[0].get("n", as: Int.self) == 20_000)
        }
    }

    /// A row of large values arrives as it is, also one of none, beside a key of sixteen bytes.
    @Test(arguments: [0, 1, 65_536, 3_000_001]) func aLargeRowArrives(byteCount: Int) async throws {
        let bytes = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
        let key = UUID()
        try await connection().run { connection in
            try connection.execute("CREATE TABLE document (id uuid PRIMARY KEY, first bytea, second bytea)")
            let id = withUnsafeBytes(of: key.uuid) { Data($0) }
            try connection.copy(row: [id, bytes, Data(bytes.reversed())], into: "document (id, first, second)")
            let row = try connection.query("SELECT * FROM document WHERE id = $1", [key])[0]
            #expect(try row.get("first", as: Data.self) == bytes)
            #expect(try row.get("second", as: Data.self) == Data(bytes.reversed()))
            #expect {
                try connection.copy(row: [id, bytes, bytes], into: "document (id, first, second)")
            } throws: { ($0 as? DatabaseError)?.code == "23505" }
            #expect(try connection.query("SELECT count(*) AS n FROM document")[0].get("n", as: Int.self) == 1)
        }
    }

    /// One row is refused: none is stored, and the connection goes on.
    @Test(arguments: [("23505", "1"), ("22P02", "x"), ("22021", "2\0")]) func allRowsOrNone(
        code: String,
        value: String
    )
        async throws
    {
        let connection = try await connection()
        await #expect {
            try await connection.run { connection in
                var rows = CopyRows(into: "part (n)")
                rows.add(["1"])
                rows.add([value])
                try connection.copy(rows)
            }
        } throws: { ($0 as? DatabaseError)?.code == code }
        await #expect(throws: DatabaseError.self) {
            try await connection.run { connection in
                var unknown = CopyRows(into: "nothing (n)")
                unknown.add([1])
                try connection.copy(unknown)
            }
        }
        let count = try await connection.run { connection in
            try connection.query("SELECT count(*) AS n FROM part")[0].get("n", as: Int.self)
        }
        #expect(count == 0)
    }

    /// The server cut the transaction because nothing came: it is tried once more, in case the machine slept.
    @Test func whatTakesTooLongIsNotAskedForEver() {
        var retry = TransactionRetry(isRepeatable: true)
        let cut = DatabaseError(code: "25P03", message: "terminating connection due to idle-in-transaction timeout")
        #expect(retry.pause(after: cut) != nil)
        #expect(retry.pause(after: cut) == nil)
        var other = TransactionRetry(isRepeatable: true)
        let lost = DatabaseError(code: DatabaseError.connectionLost, message: "gone")
        for _ in 0..<12 { #expect(other.pause(after: lost) != nil) }
        #expect(other.pause(after: lost) == nil)
    }
}
