import TestDatabase
import TestSupport
import Testing

@testable import PostgreSQL

/// A client that stops in the middle of a COPY keeps its locks, whatever timeouts its session has.
@Suite struct StalledCopyTests {
    private func connections(_ count: Int) async throws -> (ConnectionTarget, [Connection]) {
        let target = try await TestPostgreSQL.shared.database()
        var opened: [Connection] = []
        for _ in 0..<count { opened.append(try await Connection.open(target, logger: quiet)) }
        try await opened[0].execute("CREATE TABLE part (n int PRIMARY KEY); CREATE TABLE counter (n int)")
        try await opened[0].execute("INSERT INTO counter VALUES (0)")
        return (target, opened)
    }

    /// Begins a transaction that holds a lock and a COPY that has sent one row.
    private func stall(_ connection: Connection) async throws -> Int {
        try await connection.run { connection in
            let backend = try connection.backendProcess()
            try connection.execute("BEGIN; UPDATE counter SET n = n + 1")
            try connection.startCopy("part (n) FROM STDIN", "here")
            try connection.send(Array("1\n".utf8), "here")
            try connection.flush("here")
            return backend
        }
    }

    /// Waits until the server has taken all rows that were sent, and waits for more.
    private func untilWaiting(_ watcher: Connection, _ backend: Int, bytes: Int) async throws {
        let sql = """
            SELECT FROM pg_stat_activity JOIN pg_stat_progress_copy USING (pid)
            WHERE pid = $1 AND wait_event = 'ClientRead' AND bytes_processed = $2
            """
        try await waitUntil { try await watcher.run { try !$0.query(sql, [backend, bytes]).isEmpty } }
    }

    private func look(_ copies: StalledCopies, _ connection: Connection) async throws -> (StalledCopies, ended: Int) {
        try await connection.run { connection in
            var copies = copies
            let ended = try copies.endStalled(connection)
            return (copies, ended)
        }
    }

    @Test func whoWaitsForAStalledCopyGoesOn() async throws {
        let (target, all) = try await connections(3)
        let (watcher, stalled, waiting) = (all[0], all[1], all[2])
        let backend = try await stall(stalled)
        try await untilWaiting(watcher, backend, bytes: 2)
        async let counted = waiting.run { connection in
            try connection.query("UPDATE counter SET n = n + 10 RETURNING n")[0].get("n", as: Int.self)
        }
        let (seen, none) = try await look(StalledCopies(), watcher)
        #expect(none == 0)
        #expect(try await look(seen, watcher).ended == 1)
        #expect(try await counted == 10, "what the stalled transaction had written is undone")
        try await target.untilGone(backend)
        await #expect {
            try await stalled.run { connection in
                try connection.send(Array("2\n".utf8), "here")
                _ = try connection.endCopy("here")
            }
        } throws: { ($0 as? DatabaseError)?.isConnectionLost == true }
    }

    /// A COPY that is slow, but receives something between two looks, is no stalled one; nor is one that begins anew.
    @Test func aCopyThatGoesOnIsLeftAlone() async throws {
        let (_, all) = try await connections(2)
        let (watcher, slow) = (all[0], all[1])
        let backend = try await stall(slow)
        try await untilWaiting(watcher, backend, bytes: 2)
        var (copies, ended) = try await look(StalledCopies(), watcher)
        for number in 2..<6 {
            try await slow.run { connection in
                try connection.send(Array("\(number)\n".utf8), "here")
                try connection.flush("here")
            }
            try await untilWaiting(watcher, backend, bytes: 2 * number)
            (copies, ended) = try await look(copies, watcher)
            #expect(ended == 0)
        }
        #expect(try await look(copies, watcher).ended == 1)
    }

    /// What a database's owner copies into another schema, however slowly, is not ours.
    @Test func otherTablesAreLeftAlone() async throws {
        let (_, all) = try await connections(2)
        let (watcher, other) = (all[0], all[1])
        try await other.execute("CREATE SCHEMA other; CREATE TABLE other.part (n int)")
        let backend = try await other.run { connection in
            let backend = try connection.backendProcess()
            try connection.startCopy("other.part (n) FROM STDIN", "here")
            try connection.send(Array("1\n".utf8), "here")
            try connection.flush("here")
            return backend
        }
        try await untilWaiting(watcher, backend, bytes: 2)
        let (copies, ended) = try await look(StalledCopies(), watcher)
        #expect(ended == 0)
        #expect(try await look(copies, watcher).ended == 0)
    }
}
