import Farm
import FarmSimulation
import Foundation
import Logging
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Random clients of two coordinators on one database, all at once: whatever they do to each other, every answer and
/// the tables at the end are as if one had come after the other.
@Suite(.serialized) struct StoreRandomClientsTests {
    @Test(arguments: TestSeeds.asked(usual: 6, thorough: 100))
    func whateverManyClientsDoAtOnceTheTablesAgree(seed: Int) async throws {
        let clients = RandomClients(isHedging: seed % 2 == 0, isForgetting: seed % 3 == 0)
        let target = try await StoreDatabase.make()
        let log = KeptLog()
        let stores = [try await open(target, clients, log), try await open(target, clients, log)]
        for store in stores { store.setClock(FarmConformance.start) }
        _ = try await stores[0].sweep()
        try await run(stores, clients, seed: UInt64(seed))
        let invariants = StoreInvariants(store: stores[0], clients: clients)
        var violations = clients.violations + (try await invariants.violations())
        violations += try await renewWhatIsOver(stores[0], clients)
        violations += try await finish(stores[1], clients)
        violations += try await invariants.violations()
        // PostgreSQL ends a ring of locks after a second and the operation is repeated: nobody but the log knows.
        violations += log.lines.map(\.message).filter { $0.contains("deadlock") }
        for violation in Set(violations).sorted() { Issue.record("seed \(seed): \(violation)") }
        for outcome in ["granted", "granted.again", "complete.accepted", "fail.recorded", "renew.held", "renew.lost"] {
            #expect(clients.seen[outcome, default: 0] > 0, "seed \(seed) never saw \(outcome)")
        }
    }

    /// Short leases, so that many run out while their workers still work.
    private func open(
        _ target: ConnectionTarget,
        _ clients: RandomClients,
        _ log: KeptLog
    ) async throws -> PostgresFarmStore {
        var policy = FarmPolicy()
        policy.lease.leaseMilliseconds = 1200
        policy.retry.firstDelayMilliseconds = 100
        policy.hedge.minimumSiblings = clients.isHedging ? 1 : .max
        policy.hedge.minimumAgeMilliseconds = 200
        policy.blocklistAfter = 20
        return try await StoreDatabase.open(target, policy: policy, logger: log.logger(.debug))
    }

    private func run(_ stores: [PostgresFarmStore], _ clients: RandomClients, seed: UInt64) async throws {
        var first = RandomClient(stores, clients, seed: seed)
        for _ in 0..<4 { try await first.register() }
        for _ in 0..<4 { try await first.insert() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 as ClosedRange<UInt64> {
                group.addTask {
                    var client = RandomClient(stores, clients, seed: seed << 8 + number)
                    for _ in 0..<90 { try await client.step() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A heartbeat that names attempts that are over renews none of them, and changes no lease.
    private func renewWhatIsOver(_ store: PostgresFarmStore, _ clients: RandomClients) async throws -> [String] {
        let known = clients.known
        var violations: [String] = []
        let before = try await leases(store)
        for (worker, held) in Dictionary(grouping: known.held, by: \.worker) {
            let over = held.filter { known.ended.contains($0.attempt) }
            let progress = over.map { AttemptProgress(attempt: $0.attempt, permille: 999) }
            guard let reply = try? await store.renew(worker, progress) else { continue }
            violations += reply.renewed.map { "\($0) is over and was renewed" }
            if Set(reply.lost) != Set(over.map(\.attempt)) { violations.append("\(worker) was not told what it lost") }
        }
        if try await leases(store) != before { violations.append("a heartbeat about what is over changed a lease") }
        return violations
    }

    private func leases(_ store: PostgresFarmStore) async throws -> [String] {
        try await store.pool.run { connection in
            try connection.query("SELECT lease::text AS line FROM lease ORDER BY attempt").map { try $0.get("line") }
        }
    }

    /// A worker that does all that is left: every job comes to its end.
    private func finish(_ store: PostgresFarmStore, _ clients: RandomClients) async throws -> [String] {
        let worker = try await store.register("last")
        for _ in 0..<200 {
            store.setClock(clients.advance(by: 1000))
            _ = try await store.sweep()
            for grant in try await store.acquire(worker, capacity: 8) {
                _ = try await store.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 1)])
                let completion = try await store.complete(grant, by: worker)
                if completion == .leaseLost { return ["\(grant.attempt) was lost on an idle farm"] }
            }
            if try await store.jobs(JobFilter(limit: 1000)).allSatisfy(\.state.isFinal) { return [] }
        }
        return try await store.jobs(JobFilter(limit: 1000)).filter { !$0.state.isFinal }.map { "\($0.id) never ends" }
    }
}
