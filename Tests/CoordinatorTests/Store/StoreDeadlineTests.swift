import Farm
import FarmSimulation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Which deadlines both stores take.
@Suite struct StoreDeadlineTests {
    /// A new job is refused; the same submission again gives its job, whatever time it is.
    private func check(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        var job = SampleJob.job(key: "first", segments: 1, hasSound: false)
        job.deadline = FarmConformance.start
        let refused = await #expect(throws: FarmStoreError.self) { try await store.insertJob(job) }
        #expect(
            refused?.description
                == "The deadline 2023-11-14T22:13:20Z has passed already; name a later one, or leave it out."
        )
        job.deadline = FarmConformance.start.adding(milliseconds: 1)
        let id = try await store.insertJob(job).job.id
        try await store.setClock(FarmConformance.start.adding(milliseconds: 60_000))
        #expect(try await store.insertJob(job).job.id == id)
        job.idempotencyKey = "second"
        await #expect(throws: FarmStoreError.self) { try await store.insertJob(job) }
    }

    @Test func theModelTakesNoDeadlineThatHasPassed() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    @Test func theDatabaseTakesNoDeadlineThatHasPassed() async throws { try await check(StoreDatabase.store()) }
}
