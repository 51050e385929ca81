import Farm
import Foundation
import Logging
import ServiceLifecycle
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// The dispatcher against a store that answers when the test wants.
@Suite struct LeaseDispatcherTests {
    let store = StalledStore()
    let clock = TestClock()

    private func run(_ body: (LeaseDispatcher, WorkerID) async throws -> Void) async throws {
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .critical) }
        let hub = ChangeHub(store: store, tick: .seconds(1), clock: clock)
        let dispatcher = LeaseDispatcher(store: store, hub: hub, clock: clock, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [hub, dispatcher], logger: logger)
        )
        let running = Task { try await group.run() }
        let worker = try store.registerWorker(FarmPieces.registration).worker
        do { try await body(dispatcher, worker) } catch { #expect(Bool(false), "\(error)") }
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private func states(of job: JobID) throws -> [AttemptView.State] {
        try store.tasks(of: job).flatMap(\.attempts).map(\.state)
    }

    /// The client leaves after the store has decided to grant and before the answer is there.
    @Test func whatIsGrantedToOneWhoHasGoneIsHandedBack() async throws {
        try await run { dispatcher, worker in
            let job = try store.insertJob(FarmPieces.job(parts: 1)).job.id
            store.isShut = true
            let poll = Task { try await dispatcher.poll(FarmPieces.poll(worker, wait: 10_000)) }
            try await waitUntil { try states(of: job) == [.live] }
            poll.cancel()
            await #expect(throws: CancellationError.self) { try await poll.value }
            store.isShut = false
            try await waitUntil { try states(of: job) == [.released] }
            let next = try await dispatcher.poll(FarmPieces.poll(worker, wait: 1000))
            #expect(next.count == 1)
        }
    }

    /// The same poll came again while the first was being answered: the second gets the grant.
    @Test func aRepeatedPollLosesNothing() async throws {
        try await run { dispatcher, worker in
            let job = try store.insertJob(FarmPieces.job(parts: 1)).job.id
            store.isShut = true
            let poll = FarmPieces.poll(worker, wait: 3000)
            let first = Task { try await dispatcher.poll(poll) }
            try await waitUntil { try states(of: job) == [.live] }
            let second = Task { try await dispatcher.poll(poll) }
            #expect(try await first.value.isEmpty, "taken to have gone")
            store.isShut = false
            let grants = try await second.value
            #expect(grants.count == 1)
            #expect(try states(of: job) == [.live])
        }
    }

    @Test func aDatabaseThatIsDownIsWaitedFor() async throws {
        try await run { dispatcher, worker in
            store.isDown = true
            async let short = dispatcher.poll(FarmPieces.poll(worker, wait: 100))
            try await clock.waitForSleep(of: .milliseconds(100))
            clock.advance(by: .milliseconds(100))
            #expect(try await short.isEmpty)
            _ = try store.insertJob(FarmPieces.job())
            let calls = store.calls
            let long = Task { try await dispatcher.poll(FarmPieces.poll(worker, wait: 86_400_000)) }
            try await waitUntil { store.calls > calls }
            store.isDown = false
            #expect(try await clock.turning(by: .seconds(1), while: { try await long.value }).count == 1)
        }
    }

    /// 300 workers wait; the store is asked for many of them at once.
    @Test func pollsAreAskedForInBatches() async throws {
        try await run { dispatcher, worker in
            store.isShut = true
            let first = Task { try await dispatcher.poll(FarmPieces.poll(worker, wait: 2000)) }
            try await waitUntil { store.calls == 1 }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<300 {
                    group.addTask { try await dispatcher.poll(FarmPieces.poll(worker, wait: 2000)).count }
                }
                // Every poll that came has a timer.
                try await waitUntil { clock.sleeps.count { $0 == .seconds(2) } == 301 }
                let job = try store.insertJob(FarmPieces.job(parts: 40)).job.id
                store.isShut = false
                try await waitUntil {
                    try states(of: job).count == 40 && clock.sleeps.count { $0 == .seconds(2) } == 261
                }
                clock.advance(by: .seconds(2))
                // What each grant costs the store is its own affair: calls are counted, not time.
                let granted = try await group.reduce(0, +) + first.value.count
                #expect(granted == 40)
            }
            #expect(store.calls < 301)
        }
    }

    @Test func unknownWorkersAreToldAtOnce() async throws {
        try await run { dispatcher, _ in
            await #expect(throws: FarmStoreError.unknownWorker) {
                try await dispatcher.poll(FarmPieces.poll(WorkerID(uuid: UUID()), wait: 10_000))
            }
        }
    }
}
