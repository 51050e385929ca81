import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing

@testable import Coordinator

/// The model in memory and PostgreSQL, side by side under the same random operations.
/// One at a time: a transaction that a loaded machine lets wait is run again, and draws its identifiers anew.
@Suite(.serialized) struct StoreConformanceTests {
    /// CUTFARM_SEEDS asks for more than every run tries.
    private static let count = ProcessInfo.processInfo.environment["CUTFARM_SEEDS"].flatMap { UInt64($0) } ?? 10

    @Test(arguments: 1...count) func agreesWithTheModel(seed: UInt64) async throws {
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

    /// A repeated poll and a new one in the same round saw each other's leases as they had been before it.
    private static let foundBefore: [UInt64] = [1013, 1030, 1038]

    /// Short leases and an eager hedge, so that expiry and second attempts are common.
    @Test(arguments: foundBefore + (1001...(1000 + count / 2))) func agreesUnderAnImpatientPolicy(
        seed: UInt64
    ) async throws {
        var policy = FarmPolicy()
        policy.lease.leaseMilliseconds = 1500
        policy.hedge.minimumSiblings = 1
        policy.hedge.minimumAgeMilliseconds = 200
        policy.retry.giveUpAfter = 4
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
