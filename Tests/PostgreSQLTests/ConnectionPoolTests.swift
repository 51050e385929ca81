import Dispatch
import PostgreSQL
import Synchronization
import TestDatabase
import TestSupport
import Testing

@Suite struct ConnectionPoolTests {
    private let clock = TestClock()
    private let gate = Gate()

    /// A pool that waits ten seconds of ``clock`` for a connection.
    private func pool(size: Int) async throws -> ConnectionPool {
        ConnectionPool(
            target: try await TestPostgreSQL.shared.database(),
            size: size,
            checkoutLimit: .seconds(10),
            clock: clock,
            logger: quiet
        )
    }

    /// Takes a connection of `pool` until ``gate`` is opened; returns once it has it.
    private func hold(_ pool: ConnectionPool) async throws -> Task<Void, any Error> {
        let holder = Task { [gate] in try await pool.run { _ in gate.pass() } }
        try await waitUntil { gate.arrivals == 1 }
        return holder
    }

    @Test func connectionsAreLentOneAtATimeAndUsedAgain() async throws {
        let pool = try await pool(size: 3)
        let backends = try await withThrowingTaskGroup(of: Int.self) { [gate, clock] group in
            for _ in 0..<60 {
                group.addTask {
                    try await pool.run { connection in
                        gate.pass()
                        return try connection.backendProcess()
                    }
                }
            }
            try await waitUntil { gate.arrivals + clock.sleeps.count == 60 }
            #expect(gate.arrivals == 3)
            gate.open()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(backends.count == 3)
    }

    @Test func whoWaitsTooLongIsTold() async throws {
        let pool = try await pool(size: 1)
        let holder = try await hold(pool)
        let waiter = Task { try await pool.checkHealth() }
        try await clock.waitForSleep(of: .seconds(10))
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: DatabaseError.self) { try await waiter.value }
        #expect(error?.code == DatabaseError.poolExhausted)
        gate.open()
        try await holder.value
        try await pool.checkHealth()
    }

    @Test func whoIsCancelledWhileWaitingLeaves() async throws {
        let pool = try await pool(size: 1)
        let holder = try await hold(pool)
        let waiter = Task { try await pool.checkHealth() }
        try await clock.waitForSleep(of: .seconds(10))
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        try await holder.value
        try await pool.checkHealth()
    }

    @Test func brokenConnectionsAreReplaced() async throws {
        let pool = try await pool(size: 2)
        for _ in 0..<3 {
            await #expect(throws: DatabaseError.self) {
                try await pool.run { _ = try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
        }
        try await pool.checkHealth()
    }

    @Test func aConnectionLeftInATransactionIsNotLentAgain() async throws {
        let pool = try await pool(size: 1)
        let left = try await pool.run { connection in
            try connection.execute("BEGIN")
            return try connection.backendProcess()
        }
        #expect(try await pool.run { try $0.backendProcess() } != left)
    }

    /// Two transactions that lock two rows in opposite order: one is undone by the server, and runs again.
    @Test func aDeadlockIsTriedAgain() async throws {
        let pool = ConnectionPool(target: try await TestPostgreSQL.shared.database(), size: 2, logger: quiet)
        let hasLocked = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        try await pool.run {
            try $0.execute("CREATE TABLE part (id int PRIMARY KEY, n int); INSERT INTO part VALUES (0, 0), (1, 0)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for own in 0...1 {
                group.addTask {
                    let runs = Mutex(0)
                    try await pool.transaction(isRepeatable: false) { connection, _ in
                        try connection.query("UPDATE part SET n = n + 1 WHERE id = $1", [own])
                        let isFirst = runs.withLock { runs in
                            runs += 1
                            return runs == 1
                        }
                        if isFirst {
                            hasLocked[own].signal()
                            hasLocked[1 - own].wait()
                        }
                        try connection.query("UPDATE part SET n = n + 1 WHERE id = $1", [1 - own])
                    }
                }
            }
            try await group.waitForAll()
        }
        let total = try await pool.run {
            try $0.query("SELECT sum(n) AS total FROM part")[0].get("total", as: Int.self)
        }
        #expect(total == 4)
    }
}

/// Holds whoever comes, each on a thread of its own, until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    /// The number of those that came.
    var arrivals: Int { count.withLock(\.self) }

    func pass() {
        count.withLock { $0 += 1 }
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
