import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing

@testable import Coordinator

/// The model in memory and PostgreSQL, side by side under the same random operations.
/// One at a time: a transaction that a loaded machine lets wait is run again, and draws its identifiers anew.
@Suite(.serialized) struct StoreConformanceTests {
    @Test(arguments: TestSeeds.asked(usual: 10, thorough: 170)) func agreesWithTheModel(seed: Int) async throws {
        let seed = UInt64(seed)
        let model = InMemoryFarmStore(
            identifiers: IdentifierSource(seed: seed),
            clock: .standing(at: FarmConformance.start)
        )
        let store = try await StoreDatabase.open(StoreDatabase.make(), seed: seed, connections: 1)
        let report = await FarmConformance(seed: seed).compare(model, store)
        for violation in report.violations { Issue.record(Comment(rawValue: violation)) }
        for outcome in ["poll.granted", "complete.accepted"] {
            #expect(report.seen[outcome, default: 0] > 0, "seed \(seed) never saw \(outcome)")
        }
    }

    /// Short leases and an eager hedge, so that expiry and second attempts are common.
    @Test(arguments: TestSeeds.asked(usual: 5, thorough: 85)) func agreesUnderAnImpatientPolicy(
        seed: Int
    ) async throws {
        try await compareImpatiently(seed: UInt64(seed))
    }

    /// A repeated poll and a new one in the same round saw each other's leases as they had been before it.
    @Test(arguments: [1013, 1030, 1038] as [UInt64]) func agreesWhereItOnceDidNot(seed: UInt64) async throws {
        try await compareImpatiently(seed: seed)
    }

    private func compareImpatiently(seed: UInt64) async throws {
        var policy = FarmPolicy()
        policy.lease.leaseMilliseconds = 1500
        policy.hedge.minimumSiblings = 1
        policy.hedge.minimumAgeMilliseconds = 200
        policy.retry.giveUpAfter = 4
        policy.quota.tasks = 60
        policy.quota.bytes = 400
        policy.history.tasks = 15
        policy.history.bytes = 300
        let model = InMemoryFarmStore(
            policy: policy,
            identifiers: IdentifierSource(seed: seed),
            clock: .standing(at: FarmConformance.start)
        )
        let store = try await StoreDatabase.open(StoreDatabase.make(), policy: policy, seed: seed, connections: 1)
        let report = await FarmConformance(seed: seed).compare(model, store)
        for violation in report.violations { Issue.record(Comment(rawValue: violation)) }
        #expect(report.seen["poll.granted", default: 0] > 0)
    }
}
