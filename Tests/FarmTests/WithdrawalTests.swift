import CompositionModel
import FarmSimulation
import Testing
import WireProtocol

@testable import Farm

/// What becomes of claims and of movies while something is withdrawn. Workers and attempts are named by numbers; worker
/// n is called `wn`.
@Suite struct WithdrawalTests {
    private func delivered() -> TaskMachine {
        var task = FarmFixture.task(stage: 1, kind: .sound)
        task.isAudited = true
        var machine = FarmFixture.machine(task)
        machine.turn(1, at: 0)
        #expect(machine.complete(1, "by the old reading") == .delivered)
        return machine
    }

    /// A sound machine is not convicted for what it made by a measurement that was withdrawn.
    @Test func aClaimGoesWithTheStageThatItWasMadeBy() {
        var machine = delivered()
        machine.withdraw(at: FarmFixture.at(9010))
        #expect(machine.task.claims.isEmpty && machine.task.state == .queued)
        machine.turn(2, at: 9020)
        #expect(machine.complete(2, "by the new reading") == .delivered)
        machine.turn(3, at: 9030)
        let completion = FarmFixture.completion(3, "by the new reading")
        let (outcome, effects) = machine.complete(FarmFixture.id(3), completion, at: FarmFixture.at(9040))
        #expect(outcome == .accepted)
        #expect(!effects.contains { if case .convicted = $0 { true } else { false } })
    }

    /// The one who audits works by the withdrawn measurement too.
    @Test func aLeasedTaskLosesItsClaimsAndItsLease() {
        var machine = delivered()
        machine.turn(2, at: 9010)
        machine.withdraw(at: FarmFixture.at(9020))
        #expect(machine.task.claims.isEmpty && machine.task.state == .queued)
        #expect(machine.states == [.delivered, .released])
        machine.turn(3, at: 9030, worker: 1)
        #expect(machine.states.last == .live, "who claimed it before may render it again")
    }

    /// A job of one picture, which `worker` has rendered and begins to join.
    private func joining(_ tables: inout FarmTables, _ worker: WorkerID) throws -> LeaseGrant {
        _ = try tables.insertJob(SampleJob.job(key: "a", segments: 1, hasSound: false), at: FarmFixture.start)
        let part = try #require(poll(&tables, worker, 1))
        #expect(complete(&tables, part, by: worker, "part") == .accepted)
        return try #require(poll(&tables, worker, 2))
    }

    private func poll(_ tables: inout FarmTables, _ worker: WorkerID, _ number: UInt64) -> LeaseGrant? {
        let poll = LeasePoll(
            worker: worker,
            poll: FarmFixture.id(number),
            kinds: TaskKind.allCases,
            capacity: 1,
            waitMilliseconds: 0
        )
        guard case .granted(let grants)? = tables.acquireLeases([poll], at: FarmFixture.start).first else { return nil }
        return grants.first
    }

    private func complete(
        _ tables: inout FarmTables,
        _ grant: LeaseGrant,
        by worker: WorkerID,
        _ what: String
    ) -> CompletionOutcome {
        let completion = TaskCompletion(
            worker: worker,
            artifact: FarmFixture.digest(what),
            byteCount: 1,
            unitCount: 1,
            statistics: TaskStatistics()
        )
        return tables.complete(grant.attempt, completion, at: FarmFixture.start)
    }

    @Test func aMovieThatWasJoinedBeforeTheWithdrawalIsJoinedAgain() throws {
        var tables = FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: 1))
        let registration = WorkerRegistration(
            name: "w",
            kinds: TaskKind.allCases,
            slots: 1,
            rendererVersion: 1,
            libraries: [:]
        )
        let worker = tables.registerWorker(registration, at: FarmFixture.start).worker
        let first = try joining(&tables, worker)
        tables.convict("another", because: "Its bytes differ.", at: FarmFixture.start)
        #expect(complete(&tables, first, by: worker, "movie") == .leaseLost)
        #expect(complete(&tables, first, by: worker, "movie") == .leaseLost, "also when it asks again")
        #expect(tables.attempt(first.attempt)?.state == .released)
        #expect(tables.jobRecord(first.job)?.state == .stitching)
        #expect(poll(&tables, worker, 3) == nil)
        _ = tables.withdrawFaulty(at: FarmFixture.start)
        let second = try #require(poll(&tables, worker, 4))
        #expect(complete(&tables, second, by: worker, "movie") == .accepted)
        #expect(tables.jobRecord(first.job)?.state == .completed)
        tables.convict("yet another", because: "Its bytes differ.", at: FarmFixture.start)
        #expect(complete(&tables, second, by: worker, "movie") == .alreadyDone, "a lost answer is repeated")
    }
}
