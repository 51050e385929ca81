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
        let report = try await compare(seed: UInt64(seed))
        #expect(report.seen["poll.granted", default: 0] > 0)
    }

    /// What agrees is no farm that stands still: parts are accepted under most seeds, and under these of the usual ones.
    @Test(arguments: [1, 2] as [UInt64]) func workIsAccepted(seed: UInt64) async throws {
        #expect(try await compare(seed: seed).seen["complete.accepted", default: 0] > 0)
    }

    /// A job was said to have workers for its versions while their machine was blocked under another worker's name.
    @Test(arguments: [66] as [UInt64]) func agreesOnWhatIsBlocked(seed: UInt64) async throws {
        _ = try await compare(seed: seed)
    }

    private func compare(seed: UInt64) async throws -> FarmConformance.Report {
        let model = InMemoryFarmStore(
            identifiers: IdentifierSource(seed: seed),
            clock: .standing(at: FarmConformance.start)
        )
        let store = try await StoreDatabase.open(StoreDatabase.make(), seed: seed, connections: 1)
        let report = await FarmConformance(seed: seed).compare(model, store)
        for violation in report.violations { Issue.record(Comment(rawValue: violation)) }
        return report
    }

    /// Short leases and an eager hedge, so that expiry and second attempts are common.
    @Test(arguments: TestSeeds.asked(usual: 5, thorough: 85)) func agreesUnderAnImpatientPolicy(
        seed: Int
    ) async throws {
        try await compareImpatiently(seed: UInt64(seed))
    }

    /// A repeated poll and a new one in the same round saw each other's leases as they had been before it (1013 and
    /// others); a job that failed and was retried had two stages open (7).
    @Test(arguments: [7, 1013, 1030, 1038] as [UInt64]) func agreesWhereItOnceDidNot(seed: UInt64) async throws {
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
