import PostgreSQL
import TestDatabase
import Testing

@Suite struct NotificationListenerTests {
    @Test func hearsAndComesBackAfterALoss() async throws {
        let target = try await TestPostgreSQL.shared.database()
        let speaker = try await Connection.open(target, logger: quiet)
        let (events, continuation) = AsyncStream.makeStream(of: NotificationListener.Event.self)
        let listener = NotificationListener(target: target, channels: ["farm"], logger: quiet)
        let listening = Task { await listener.run { continuation.yield($0) } }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .listening)
        try await speaker.execute("NOTIFY farm, 'one'")
        guard case .heard(let first)? = await iterator.next() else { return #expect(Bool(false), "nothing was heard") }
        #expect(first.channel == "farm")
        #expect(first.payload == "one")
        try await speaker.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        #expect(await iterator.next() == .listening)
        try await speaker.execute("NOTIFY farm, 'two'")
        guard case .heard(let second)? = await iterator.next() else { return #expect(Bool(false), "nothing was heard") }
        #expect(second.payload == "two")
        listening.cancel()
        await listening.value
    }
}
