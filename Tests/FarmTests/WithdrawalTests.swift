import CompositionModel
import FarmSimulation
import Testing
import WireProtocol

@testable import Farm

/// What becomes of claims while something is withdrawn. Workers and attempts are named by numbers; worker
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
}
