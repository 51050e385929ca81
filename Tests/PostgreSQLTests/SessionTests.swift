import PostgreSQL
import TestDatabase
import Testing

@Suite struct SessionTests {
    @Test(arguments: [
        ("idle_in_transaction_session_timeout", "10s"), ("lock_timeout", "30s"), ("client_encoding", "UTF8"),
    ])
    func locksAreNotHeldForEver(setting: String, value: String) async throws {
        let target = try await TestPostgreSQL.shared.database()
        #expect(try await target.scalar("SELECT current_setting('\(setting)') AS value") == value)
    }
}
