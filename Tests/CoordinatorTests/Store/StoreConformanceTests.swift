import Farm
import PostgreSQL
import Shared
import TestDatabase
import Testing

@testable import Coordinator

/// The model in memory and PostgreSQL, side by side under the same random operations.
@Suite struct StoreConformanceTests {
    @Test(arguments: (1...12).map { UInt64($0) }) func agreesWithTheModel(seed: UInt64) async throws {
        let model = ModelFarmStore(
            identifiers: IdentifierSource(seed: seed),
            clock: .standing(at: FarmConformance.start)
        )
        let store = try await StoreDatabase.open(StoreDatabase.make(), seed: seed, connections: 1)
        let report = await FarmConformance(seed: seed).compare(model, store)
        for violation in report.violations { Issue.record(Comment(rawValue: violation)) }
        for outcome in ["poll.granted", "complete.accepted", "fail.recorded", "renew.held"] {
            #expect(report.seen[outcome, default: 0] > 0, "seed \(seed) never saw \(outcome)")
        }
    }

    /// Short leases and an eager hedge, so that expiry and second attempts are common.
    @Test(arguments: (101...106).map { UInt64($0) }) func agreesUnderAnImpatientPolicy(seed: UInt64) async throws {
        var policy = FarmPolicy()
        policy.lease.leaseMilliseconds = 1500
        policy.hedge.minimumSiblings = 1
        policy.hedge.minimumAgeMilliseconds = 200
        policy.retry.giveUpAfter = 4
        let model = ModelFarmStore(
            policy: policy,
            identifiers: IdentifierSource(seed: seed),
            clock: .standing(at: FarmConformance.start)
        )
        let store = try await StoreDatabase.open(StoreDatabase.make(), policy: policy, seed: seed, connections: 1)
        let report = await FarmConformance(seed: seed).compare(model, store)
        for violation in report.violations { Issue.record(Comment(rawValue: violation)) }
        #expect(report.seen["sweep.expired", default: 0] > 0)
    }
}
