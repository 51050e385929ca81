import Foundation
import Glibc
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
            let row = [CopyField.uuid(key), .bytes(bytes), .bytes(Data(bytes.reversed()))]
            try connection.copy(rows: [row], into: "document (id, first, second)")
            let stored = try connection.query("SELECT * FROM document WHERE id = $1", [key])[0]
            #expect(try stored.get("first", as: Data.self) == bytes)
            #expect(try stored.get("second", as: Data.self) == Data(bytes.reversed()))
            #expect {
                try connection.copy(rows: [row], into: "document (id, first, second)")
            } throws: { ($0 as? DatabaseError)?.code == "23505" }
            #expect(try connection.query("SELECT count(*) AS n FROM document")[0].get("n", as: Int.self) == 1)
        }
    }

    /// The server refuses a key of a wrong length at once, while megabytes that follow it are still being sent. The
    /// transaction is undone, and the connection goes on.
    @Test(arguments: [
        (15, "08P01", "insufficient data left in message"), (17, "22P03", "incorrect binary data format"),
    ]) func aRefusalInTheMiddleIsAnError(keyLength: Int, code: String, sentence: String) async throws {
        try await connection().run { connection in
            try connection.execute("CREATE TABLE document (id uuid PRIMARY KEY, text bytea)")
            let row = [CopyField.bytes(Data(count: keyLength)), .bytes(Data(count: 3_000_000))]
            do {
                try connection.transaction { connection in
                    try connection.execute("INSERT INTO part (n) VALUES (1)")
                    try connection.copy(rows: [row], into: "document (id, text)")
                }
                Issue.record("It was stored.")
            } catch let error as DatabaseError {
                #expect(error.code == code && error.message == sentence && !error.isConnectionLost)
                #expect(error.place?.hasPrefix("PostgreSQLTests/CopyTests.swift:") == true)
            }
            let isUsable = connection.isUsable
            #expect(isUsable)
            #expect(try connection.query("SELECT count(*) AS n FROM part")[0].get("n", as: Int.self) == 0)
            try connection.copy(rows: [[.uuid(UUID()), .bytes(Data(count: 3_000_000))]], into: "document (id, text)")
            let sum = try connection.query("SELECT sum(length(text)) AS n FROM document")[0]
            #expect(try sum.get("n", as: Int.self) == 3_000_000)
        }
    }

    /// A value that PostgreSQL cannot store is refused before anything is sent. Its pages are never touched.
    @Test(arguments: [CopyField.mostBytes + 1, 1 << 31, 1 << 32]) func aValueMayBeTooLong(byteCount: Int) async throws {
        let map = try #require(
            mmap(nil, byteCount, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        )
        let bytes = Data(bytesNoCopy: map, count: byteCount, deallocator: .unmap)
        try await connection().run { connection in
            try connection.execute("CREATE TABLE document (text bytea)")
            #expect {
                try connection.copy(rows: [[.bytes(bytes)]], into: "document (text)")
            } throws: { error in
                let error = error as? DatabaseError
                return error?.code == "54000" && error?.isUnfitValue == true && error?.isConnectionLost == false
                    && error?.message.hasPrefix("A value has \(byteCount) bytes; ") == true
            }
            let isUsable = connection.isUsable
            #expect(isUsable)
            try connection.copy(rows: [[.bytes(Data(count: 1))]], into: "document (text)")
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
