import CompositionModel
import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Both stores find a job by the key of its submission.
@Suite struct StoreSubmittedTests {
    private func check(_ store: some ClockedFarmStore) async throws {
        try await store.setClock(FarmConformance.start)
        var job = SampleJob.job(key: "first", segments: 1, hasSound: false)
        job.submission = ContentDigest(of: Data("a submission".utf8))
        let first = try await store.insertJob(job).job.id
        job.idempotencyKey = "of a version before"
        job.submission = nil
        let second = try await store.insertJob(job).job.id
        _ = try await store.cancel(first)
        let found = try #require(try await store.submitted(as: "first", by: job.owner))
        #expect(found.submission == ContentDigest(of: Data("a submission".utf8)) && found.job.state == .cancelled)
        #expect(try await store.job(first) == found.job)
        let old = try #require(try await store.submitted(as: "of a version before", by: job.owner))
        #expect(old.submission == nil && old.job.id == second)
        #expect(try await store.submitted(as: "first", by: job.owner + "'s friend") == nil)
        #expect(try await store.submitted(as: "third", by: job.owner) == nil)
    }

    @Test func theModelFindsASubmission() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .system))
    }

    @Test func theDatabaseFindsASubmission() async throws { try await check(StoreDatabase.store()) }
}
