import FarmSimulation
import Foundation
import Testing
import WireProtocol

@testable import Farm

@Suite struct LeasePolicyTests {
    private let policy = LeasePolicy()

    private func attempt() -> AttemptRecord {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        return machine.attempts[0]
    }

    @Test func aRenewalGivesTheFullLengthAndNeverPassesTheDeadline() {
        let attempt = attempt()
        let renewed = policy.renewed(attempt, by: FarmFixture.id(1), permille: 300, at: FarmFixture.at(2000))
        #expect(renewed?.until == FarmFixture.at(8000))
        #expect(renewed?.permille == 300)
        let last = policy.renewed(attempt, by: FarmFixture.id(1), permille: 2000, at: FarmFixture.at(599_999))
        #expect(last?.until == FarmFixture.at(600_000))
        #expect(last?.permille == 1000)
        #expect(policy.renewed(attempt, by: FarmFixture.id(1), permille: 0, at: FarmFixture.at(600_000)) == nil)
        #expect(policy.renewed(attempt, by: FarmFixture.id(2), permille: 0, at: FarmFixture.at(1)) == nil)
    }

    @Test(arguments: [AttemptView.State.superseded, .failed, .released, .cancelled, .completed])
    func anAttemptThatIsOverIsNotRenewed(state: AttemptView.State) {
        var attempt = attempt()
        attempt.state = state
        #expect(policy.renewed(attempt, by: FarmFixture.id(1), permille: 300, at: FarmFixture.at(2000)) == nil)
    }

    @Test func aDeadlineGrowsWithTheCostAndDoesNotOverflow() {
        let now = FarmFixture.start
        #expect(policy.deadline(costMilliseconds: 1, at: now) == FarmFixture.at(600_000))
        #expect(policy.deadline(costMilliseconds: 60_000, at: now) == FarmFixture.at(3_000_000))
        #expect(policy.deadline(costMilliseconds: .max, at: now) == FarmFixture.at(7 * 86_400_000))
    }

    @Test(arguments: [(0, false), (3000, false), (3001, true), (-3000, false), (-3001, true)] as [(Int64, Bool)])
    func aLateSweepMeansThatTheFarmSlept(gap: Int64, slept: Bool) {
        #expect(policy.slept(since: FarmFixture.at(0), at: FarmFixture.at(gap)) == slept)
        #expect(policy.slept(since: nil, at: FarmFixture.at(gap)))
    }

    /// The database stands still for a minute: nobody's work is given to another.
    @Test func aStalledFarmForgives() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .standing(at: FarmFixture.start))
        _ = try store.insertJob(SampleJob.job(key: "k", segments: 1, hasSound: false))
        let first = try register(store)
        let second = try register(store)
        _ = try store.sweep()
        let grants = try poll(store, first)
        #expect(grants.count == 1)
        store.setClock(FarmFixture.at(60_000))
        #expect(try poll(store, second).isEmpty)
        #expect(try store.sweep() == .forgave(1))
        #expect(try poll(store, second).isEmpty)
        for second in 61...66 { try sweep(store, at: Int64(second) * 1000) }
        #expect(try poll(store, second).count == 1)
    }

    /// A worker goes away and no other is there: its lease is told of once, however often the farm looks.
    @Test func aLeaseExpiresOnce() throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .standing(at: FarmFixture.start))
        _ = try store.insertJob(SampleJob.job(key: "k", segments: 1, hasSound: false))
        let gone = try register(store)
        _ = try store.sweep()
        #expect(try poll(store, gone).count == 1)
        var outcomes: [SweepOutcome] = []
        for half in 1...60 {
            store.setClock(FarmFixture.at(500 * Int64(half)))
            outcomes.append(try store.sweep())
        }
        #expect(outcomes.count { $0 == .advanced(expired: 1) } == 1)
        #expect(outcomes.count { $0 == .advanced(expired: 0) } == 59)
    }

    /// A worker goes away; the farm then sleeps for a time: of the lease as much is left afterwards as was before.
    @Test(arguments: [3500, 5000, 60_000, 500_000] as [Int64])
    func sleepIsTakenOutOfALease(gap: Int64) throws {
        let store = InMemoryFarmStore(identifiers: IdentifierSource(seed: 1), clock: .standing(at: FarmFixture.start))
        _ = try store.insertJob(SampleJob.job(key: "k", segments: 1, hasSound: false))
        let gone = try register(store)
        _ = try store.sweep()
        #expect(try poll(store, gone).count == 1)
        for passed in stride(from: Int64(500), through: 4000, by: 500) { try sweep(store, at: passed) }
        let awake = 4000 + gap
        store.setClock(FarmFixture.at(awake))
        #expect(try store.sweep() == .forgave(1))
        let other = try register(store)
        for passed in stride(from: Int64(500), through: 1500, by: 500) {
            try sweep(store, at: awake + passed)
            #expect(try poll(store, other).isEmpty, "\(passed)")
        }
        try sweep(store, at: awake + 2000)
        #expect(try poll(store, other).count == 1)
    }

    /// What expired before the farm slept is not renewed, and no lease is longer than a full one.
    @Test func aLeaseAfterASleep() {
        let (last, now) = (FarmFixture.at(10_000), FarmFixture.at(20_000))
        var attempt = attempt()
        let leases: [(Int64, Int64)] = [(9000, 19_000), (10_000, 20_000), (15_000, 25_000), (16_500, 26_000)]
        for (before, after) in leases {
            attempt.until = FarmFixture.at(before)
            #expect(policy.forgiven(attempt, since: last, at: now) == FarmFixture.at(after))
        }
        #expect(policy.forgiven(attempt, since: nil, at: now) == FarmFixture.at(26_000))
        #expect(policy.forgiven(attempt, since: FarmFixture.at(90_000), at: now) == FarmFixture.at(26_000))
    }

    private func sweep(_ store: InMemoryFarmStore, at milliseconds: Int64) throws {
        store.setClock(FarmFixture.at(milliseconds))
        _ = try store.sweep()
    }

    private func register(_ store: InMemoryFarmStore) throws -> WorkerID {
        try store.registerWorker(
            WorkerRegistration(name: "w", kinds: [.picture], slots: 1, rendererVersion: 1, libraries: [:])
        ).worker
    }

    private func poll(_ store: InMemoryFarmStore, _ worker: WorkerID) throws -> [LeaseGrant] {
        let poll = LeasePoll(
            worker: worker,
            poll: PollID(uuid: .init()),
            kinds: [.picture],
            capacity: 1,
            waitMilliseconds: 0
        )
        guard case .granted(let grants) = try store.acquireLeases([poll])[0] else { return [] }
        return grants
    }
}
