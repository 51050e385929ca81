import CompositionModel
import Testing
import WireProtocol

@testable import Farm

@Suite struct TaskMachineTests {
    @Test func aGrantIsANewAttemptWithALeaseAndADeadline() {
        var machine = FarmFixture.machine()
        let effects = machine.turn(1, at: 0)
        #expect(machine.task.state == .leased)
        #expect(effects.count == 2)
        #expect(effects.last == .changed(from: .queued))
        #expect(machine.attempts[0].until == FarmFixture.at(6000))
        #expect(machine.attempts[0].deadline == FarmFixture.at(600_000))
    }

    @Test func aLeasedTaskIsNotGrantedAgainUntilASweepFoundItsLeaseExpired() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.turn(2, at: 60_000, expiry: 5999) == [])
        #expect(machine.states == [.live])
        machine.turn(2, at: 60_000, expiry: 6000)
        #expect(machine.states == [.superseded, .live])
        #expect(machine.attempts[0].failure?.code == "lease_expired")
    }

    @Test func anExpiredAttemptThatNobodySupersededIsAccepted() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.complete(1) == .accepted)
        #expect(machine.task.state == .completed)
        #expect(machine.task.artifact == FarmFixture.digest("a"))
    }

    @Test func aSupersededAttemptHasLostItsLease() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        machine.turn(2, at: 7000, expiry: 7000)
        #expect(machine.complete(1) == .leaseLost)
        #expect(machine.fail(1) == .leaseLost)
        #expect(machine.complete(2) == .accepted)
    }

    @Test func theSameBytesAgainAreAlreadyDoneAndOthersAreInConflict() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        machine.turn(2, at: 7000, expiry: 7000)
        #expect(machine.complete(2) == .accepted)
        #expect(machine.complete(2) == .alreadyDone)
        #expect(machine.complete(1) == .alreadyDone)
        #expect(machine.complete(1, "b") == .conflict)
        #expect(machine.task.artifact == FarmFixture.digest("a"))
    }

    @Test func anAttemptIsOfNoUseToAnotherWorker() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.complete(1, by: 2) == .leaseLost)
        #expect(machine.complete(7, by: 1) == .leaseLost)
        #expect(machine.release(FarmFixture.id(1), by: FarmFixture.id(2), at: FarmFixture.at(1)) == [])
        #expect(machine.states == [.live])
    }

    @Test func aTransientFailureIsTriedAgainAfterADelay() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.fail(1, at: 1000) == .recorded)
        #expect(machine.task.state == .queued)
        #expect(machine.task.notBefore == FarmFixture.at(1500))
        #expect(machine.turn(2, at: 1499) == [])
        #expect(machine.turn(2, at: 1500) != [])
    }

    @Test func aFailureReportedTwiceCountsOnce() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.fail(1) == .recorded)
        machine.turn(2, at: 10_000)
        let before = machine
        #expect(machine.fail(1) == .recorded)
        #expect(machine == before)
    }

    @Test func aPermanentFailureFailsTheTaskAtOnce() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        machine.hedge(2, at: 100)
        #expect(machine.fail(1, "asset_truncated", isPermanent: true) == .recorded)
        #expect(machine.task.state == .failed)
        #expect(machine.task.failure?.code == "asset_truncated")
        #expect(machine.states == [.failed, .cancelled])
        #expect(machine.complete(2) == .leaseLost)
    }

    @Test func threeWorkersThatDieOfItQuarantineIt() {
        var machine = FarmFixture.machine()
        for number in 1...3 as ClosedRange<UInt64> {
            machine.turn(number, at: Int64(number) * 20_000)
            _ = machine.fail(number, "render_crashed", at: Int64(number) * 20_000 + 10)
        }
        #expect(machine.states == [.failed, .failed, .failed])
        #expect(machine.task.state == .failed)
        #expect(machine.task.failure?.code == "task_quarantined")
        #expect(machine.task.failure?.message.contains("Segment 1 (frames 0 to 100, exclusive)") == true)
        #expect(machine.task.failure?.message.contains("w1, w2, w3") == true)
    }

    @Test func anExpiryThatIsOneTooManyFailsTheTaskInsteadOfGrantingIt() {
        var machine = FarmFixture.machine()
        for number in 1...10 as ClosedRange<UInt64> {
            machine.turn(number, at: Int64(number) * 10_000, expiry: Int64(number) * 10_000)
        }
        #expect(machine.task.state == .leased)
        let effects = machine.turn(11, at: 110_000, expiry: 110_000)
        #expect(machine.task.failure?.code == "task_quarantined")
        #expect(effects.last == .changed(from: .leased))
        #expect(machine.states == Array(repeating: .superseded, count: 10))
    }

    @Test func aReleaseCostsNothing() {
        var machine = FarmFixture.machine()
        for number in 1...20 as ClosedRange<UInt64> {
            machine.turn(number, at: Int64(number))
            _ = machine.release(FarmFixture.id(number), by: FarmFixture.id(number), at: FarmFixture.at(Int64(number)))
            #expect(machine.task.state == .queued)
            #expect(machine.task.notBefore == FarmFixture.at(Int64(number)))
        }
        #expect(machine.turn(21, at: 21) != [])
    }

    @Test func ofTwoLiveAttemptsTheFirstAcceptedWins() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        #expect(machine.hedge(1, at: 50) == [], "not beside itself")
        machine.hedge(2, at: 100)
        #expect(machine.hedge(3, at: 200) == [], "no third")
        #expect(machine.complete(2) == .accepted)
        #expect(machine.states == [.superseded, .completed])
        #expect(machine.attempts[0].failure == nil)
        #expect(machine.complete(1) == .alreadyDone)
    }

    @Test func aHedgedTaskStaysLeasedWhenOneOfTheTwoFails() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        machine.hedge(2, at: 100)
        #expect(machine.fail(1) == .recorded)
        #expect(machine.task.state == .leased)
        #expect(machine.complete(2) == .accepted)
    }

    @Test func whatAnotherCompletedIsProvedAgainstTheWorkerThatReportedFailure() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        _ = machine.fail(1)
        machine.turn(2, at: 10_000)
        machine.turn(3, at: 20_000, expiry: 20_000)
        let (_, effects) = machine.complete(FarmFixture.id(3), FarmFixture.completion(3), at: FarmFixture.at(21_000))
        let proven = effects.filter { if case .provenFailure = $0 { true } else { false } }
        #expect(proven == [.provenFailure(FarmFixture.id(1))], "not worker 2, which was only silent")
    }

    @Test(
        arguments: [
            "coordinator_unreachable", "asset_unavailable", "asset_gone", "version_mismatch", "no_space",
            "worker_no_space", "storage_failed", "artifact_lost", "part_withdrawn",
        ]
    )
    func aBadWayToTheCoordinatorProvesNothingAgainstAWorker(code: String) {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        let failure = Failure(code: code, message: "No answer came.", isPermanent: false)
        let report = TaskFailure(worker: FarmFixture.id(1), failure: failure)
        #expect(machine.fail(FarmFixture.id(1), report, at: FarmFixture.at(10)).0 == .recorded)
        machine.turn(2, at: 10_000)
        let (_, effects) = machine.complete(FarmFixture.id(2), FarmFixture.completion(2), at: FarmFixture.at(11_000))
        #expect(effects.allSatisfy { if case .provenFailure = $0 { false } else { true } })
    }

    @Test func aFinalTaskStaysAsItIs() {
        var machine = FarmFixture.machine()
        machine.turn(1, at: 0)
        _ = machine.cancel(at: FarmFixture.at(1))
        let cancelled = machine
        #expect(machine.complete(1) == .leaseLost)
        #expect(machine.fail(1) == .leaseLost)
        #expect(machine.turn(2, at: 60_000, expiry: 60_000) == [])
        #expect(machine.cancel(at: FarmFixture.at(2)) == [])
        #expect(machine == cancelled)
        #expect(machine.states == [.cancelled])
    }

    private func part(_ key: String, kind: TaskKind = .picture) -> PartRecord {
        PartRecord(
            key: FarmFixture.digest(key),
            versions: RenderVersions(text: "renderer 1"),
            kind: kind,
            artifact: FarmFixture.digest("bytes of \(key)"),
            byteCount: 7,
            unitCount: 100,
            statistics: TaskStatistics(cpuMilliseconds: 5),
            worker: FarmFixture.id(9),
            workerName: "w9",
            made: FarmFixture.at(0),
            used: FarmFixture.at(0)
        )
    }

    private func keyed(_ key: String) -> TaskMachine {
        var task = FarmFixture.task()
        task.key = FarmFixture.digest(key)
        return FarmFixture.machine(task)
    }

    @Test func aQueuedTaskTakesThePartOfItsKeyAlone() {
        var machine = keyed("k")
        #expect(machine.take(part("other")) == [])
        #expect(machine.take(part("k", kind: .sound)) == [])
        #expect(machine.take(part("k")) == [.changed(from: .queued)])
        #expect(machine.task.state == .completed && machine.task.isTaken && machine.attempts.isEmpty)
        #expect(machine.task.artifact == FarmFixture.digest("bytes of k") && machine.task.unitCount == 100)
        #expect(machine.take(part("k")) == [], "once")
        var leased = keyed("k")
        leased.turn(1, at: 0)
        #expect(leased.take(part("k")) == [], "somebody makes it")
    }

    /// Nobody failed: the task is queued again at once.
    @Test func aTakenPartThatIsRejectedIsHeldAgainstNobody() {
        var machine = keyed("k")
        machine.turn(1, at: 0)
        #expect(machine.fail(1, at: 100) == .recorded)
        _ = machine.take(part("k"))
        let failure = FarmFixture.failure(1, "artifact_lost").failure
        #expect(machine.reject(FarmFixture.digest("other"), because: failure, at: FarmFixture.at(500)) == [])
        let effects = machine.reject(FarmFixture.digest("bytes of k"), because: failure, at: FarmFixture.at(500))
        #expect(effects == [.changed(from: .completed)])
        #expect(machine.task.state == .queued && !machine.task.isTaken && machine.task.artifact == nil)
        #expect(machine.task.notBefore == FarmFixture.at(500))
        #expect(machine.states == [.failed])
    }

    /// A worker that failed before the job was retried is proven nothing by another's success after it.
    @Test func whatFailedBeforeARetryProvesNothing() {
        var task = FarmFixture.task()
        var first = FarmFixture.machine(task)
        first.turn(1, at: 0)
        #expect(first.fail(1, at: 100) == .recorded)
        task = first.task
        task.countedFrom = FarmFixture.at(200)
        var retried = TaskMachine(task: task, attempts: first.attempts, policy: FarmPolicy())
        retried.turn(2, at: 700)
        let effects = retried.complete(FarmFixture.id(2), FarmFixture.completion(2), at: FarmFixture.at(900)).1
        #expect(!effects.contains(.provenFailure(FarmFixture.id(1))))
        first.turn(2, at: 700)
        let counted = first.complete(FarmFixture.id(2), FarmFixture.completion(2), at: FarmFixture.at(900)).1
        #expect(counted.contains(.provenFailure(FarmFixture.id(1))))
    }
}
