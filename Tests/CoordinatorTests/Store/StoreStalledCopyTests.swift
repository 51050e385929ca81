import Farm
import TestDatabase
import TestSupport
import Testing

@testable import Coordinator
@testable import PostgreSQL

/// A store watches for coordinators that were stopped in the middle of a COPY.
@Suite struct StoreStalledCopyTests {
    @Test func anOpenStoreEndsAStalledCopy() async throws {
        let (target, clock) = (try await StoreDatabase.make(), TestClock())
        let store = try await PostgresFarmStore.open(target, clock: clock, logger: quietStoreLogger)
        let stalled = try await Connection.open(target, logger: quietStoreLogger)
        let watcher = try await Connection.open(target, logger: quietStoreLogger)
        let backend = try await stalled.run { connection -> Int in
            let backend: Int = try connection.query("SELECT pg_backend_pid() AS process")[0].get("process")
            try connection.execute("BEGIN")
            try connection.startCopy("owner (name) FROM STDIN", "here")
            try connection.send(Array("someone\n".utf8), "here")
            try connection.flush("here")
            return backend
        }
        let sql = "SELECT FROM pg_stat_activity WHERE pid = $1"
        try await clock.turn(by: .seconds(1)) { try await watcher.run { try $0.query(sql, [backend]).isEmpty } }
        await store.close()
    }
}
