import CompositionModel
import Testing
import WireProtocol

@testable import Farm

@Suite struct RetryPolicyTests {
    private let crash = Failure(code: "render_crashed", message: "Signal 11.", isPermanent: false)
    private let silence = Failure(code: "lease_expired", message: "Silence.", isPermanent: false)
    private let trouble = Failure(code: "source_unreadable", message: "No route.", isPermanent: false)
    private let fault = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)

    private func attempt(
        _ worker: UInt64,
        _ failure: Failure?,
        state: AttemptView.State = .failed,
        permille: Int = 0,
        ended: Int64 = 0
    ) -> AttemptRecord {
        AttemptRecord(
            id: FarmFixture.id(worker),
            task: FarmFixture.id(1),
            job: FarmFixture.id(1),
            worker: FarmFixture.id(worker),
            workerName: "w\(worker)",
            poll: FarmFixture.id(1),
            state: state,
            started: FarmFixture.start,
            until: FarmFixture.start,
            deadline: FarmFixture.start,
            permille: permille,
            ended: FarmFixture.at(ended),
            failure: failure
        )
    }

    /// The code of the failure, or the delay.
    private func verdict(_ attempts: [AttemptRecord], _ policy: RetryPolicy = RetryPolicy()) -> String {
        switch policy.verdict(on: FarmFixture.task(), attempts: attempts) {
        case .retry(let delay): "\(delay)"
        case .giveUp(let failure): failure.code
        }
    }

    @Test(arguments: [(0, 0), (1, 500), (2, 1000), (6, 16_000), (7, 30_000), (60, 30_000)])
    func delayDoublesUpToTheLongest(failures: Int, milliseconds: Int64) {
        #expect(RetryPolicy().delay(afterFailures: failures) == milliseconds)
    }

    @Test func threeWorkersOrFiveDeathsAreEnough() {
        #expect(verdict([attempt(1, crash), attempt(2, crash)]) == "1000")
        #expect(verdict([attempt(1, crash), attempt(2, crash), attempt(3, crash)]) == "task_quarantined")
        #expect(verdict([attempt(1, crash), lost(2), attempt(3, crash)]) == "1000")
        #expect(verdict([1, 2, 1, 2].map { attempt($0, crash) }) == "4000")
        #expect(verdict([1, 2, 1, 2, 1].map { attempt($0, crash) }) == "task_quarantined")
    }

    private func lost(_ worker: UInt64, at permille: Int = 0) -> AttemptRecord {
        attempt(worker, silence, state: .superseded, permille: permille)
    }

    /// Machines are switched off for reasons of their own: a long task meets that more often than three times.
    @Test func lostLeasesCountWhenManyWorkersGetNoFurther() {
        #expect(verdict((1...9).map { lost($0) }) == "0")
        #expect(verdict((1...10).map { lost($0) }) == "task_quarantined")
        #expect(verdict((1...29).map { lost($0 % 2) }) == "0", "two workers alone prove nothing")
        #expect(verdict((1...30).map { lost($0 % 2) }) == "attempts_exhausted")
        // Each gets further than the one before.
        #expect(verdict((1...29).map { lost($0, at: Int($0) * 30) }) == "0")
        // It ends them all at the same place.
        #expect(verdict((1...11).map { lost($0, at: 500) }) == "task_quarantined")
        // What living workers report is counted by itself.
        #expect(verdict((1...9).map { lost($0) } + [attempt(20, trouble), attempt(21, trouble)]) == "1000")
    }

    @Test func whatKillsNobodyMayFailTenTimes() {
        #expect(verdict((1...9).map { attempt($0, trouble) }) == "30000")
        #expect(verdict((1...10).map { attempt($0, trouble) }) == "attempts_exhausted")
    }

    /// It has nothing to do with the task: a worker that was upgraded under its running program may say so for long.
    @Test func otherVersionsAreNeverTheEndOfATask() {
        let mismatch = Failure(code: "version_mismatch", message: "Other libraries.", isPermanent: false)
        #expect(verdict((1...60).map { attempt($0 % 2, mismatch) }) == "30000")
        let nine = (1...9).map { attempt($0, trouble) }
        #expect(verdict(nine + (1...20).map { attempt($0, mismatch) }) == "30000")
        #expect(verdict(nine + [attempt(10, mismatch), attempt(11, trouble)]) == "attempts_exhausted")
        let full = Failure(code: "worker_no_space", message: "Full.", isPermanent: false)
        #expect(verdict([attempt(20, mismatch)] + (1...10).map { attempt($0, full) }) == "no_space")
    }

    /// Somebody makes room at some time, and the farm goes on by itself.
    @Test func aFullDiskOfTheCoordinatorIsNeverTheEndOfATask() {
        let full = Failure(code: "no_space", message: "Full.", isPermanent: false)
        #expect(verdict((1...60).map { attempt($0 % 2, full) }) == "30000")
        let nine = (1...9).map { attempt($0, trouble) }
        #expect(verdict(nine + (1...20).map { attempt($0, full) }) == "30000")
        #expect(verdict(nine + [attempt(10, full), attempt(11, trouble)]) == "attempts_exhausted")
    }

    /// Exit 7 of whoever waits for the job, instead of 4.
    @Test func aFullDiskIsStillOneAfterTenTries() {
        let full = Failure(code: "worker_no_space", message: "Full.", isPermanent: false)
        #expect(verdict((1...9).map { attempt($0, full) }) == "30000")
        #expect(verdict((1...10).map { attempt($0, full) }) == "no_space")
        #expect(verdict((1...10).map { attempt($0, $0 == 5 ? trouble : full) }) == "attempts_exhausted")
    }

    /// A farm that lives for one run would wait for minutes, and for nobody.
    @Test(arguments: ["no_space", "worker_no_space"]) func whereNobodyMakesRoomTheFirstFullDiskCounts(code: String) {
        var policy = RetryPolicy()
        policy.givesUpOnFullDisks = true
        let full = Failure(code: code, message: "Full.", isPermanent: false)
        #expect(verdict([attempt(1, trouble)], policy) == "500")
        #expect(verdict([attempt(1, full)], policy) == "no_space")
        #expect(verdict([attempt(1, trouble), attempt(2, full)], policy) == "no_space")
    }

    /// What a child may write follows from its task: elsewhere it would be stopped at the same place.
    @Test func aLimitThatFollowsFromTheTaskIsMetTwice() {
        let code = "render_file_limit"
        let limit = Failure(code: code, message: "It wrote more than it may.", isPermanent: false)
        #expect(verdict([attempt(1, limit)]) == "500")
        #expect(verdict([attempt(1, limit), attempt(2, trouble)]) == "1000")
        #expect(verdict([attempt(1, limit), attempt(1, limit)]) == code)
        #expect(verdict([attempt(1, limit), attempt(2, trouble), attempt(3, limit)]) == code)
        let attempts = [attempt(1, limit), attempt(2, limit)]
        guard case .giveUp(let failure) = RetryPolicy().verdict(on: FarmFixture.task(), attempts: attempts) else {
            Issue.record("it is tried again")
            return
        }
        #expect(failure.isPermanent)
        #expect(failure.message.hasPrefix("Segment 1") && failure.message.contains("w1, w2"), "\(failure.message)")
    }

    /// Processor time is allowed by the cores of the host: two small machines prove nothing about a large one.
    @Test func processorTimeIsGivenUpLikeADeath() {
        let limit = Failure(code: "render_cpu_limit", message: "It took more than it may.", isPermanent: false)
        #expect(verdict([attempt(1, limit), attempt(1, limit)]) == "1000")
        #expect(verdict([attempt(1, limit), attempt(2, limit)]) == "1000")
        #expect(verdict([attempt(1, limit), attempt(2, limit), attempt(3, limit)]) == "task_quarantined")
        #expect(verdict([attempt(1, limit), attempt(2, crash), attempt(3, limit)]) == "task_quarantined")
    }

    @Test func onlyFailuresCount() {
        let innocent: [AttemptRecord] = (1...20).map { number in
            attempt(number, nil, state: [.released, .superseded, .cancelled][Int(number % 3)])
        }
        #expect(verdict(innocent + [attempt(30, crash)]) == "500")
    }

    @Test func aPermanentFailureCountsWhicheverAttemptReportsIt() {
        #expect(verdict([attempt(1, fault, ended: 900), attempt(2, trouble, ended: 100)]) == "asset_truncated")
        #expect(verdict([attempt(1, trouble), attempt(2, fault)]) == "asset_truncated")
    }

    @Test func theMessageEndsWithTheFailureThatCameLast() {
        let attempts = [attempt(1, trouble, ended: 900)] + (2...10).map { attempt($0, crash, ended: Int64($0)) }
        guard case .giveUp(let failure) = RetryPolicy().verdict(on: FarmFixture.task(), attempts: attempts) else {
            Issue.record("it is tried again")
            return
        }
        #expect(failure.code == "task_quarantined")
        #expect(failure.message.hasSuffix("Last: Signal 11."))
        #expect(failure.isPermanent)
    }

    @Test func whatFailedBeforeARetryDoesNotCount() {
        var task = FarmFixture.task()
        task.countedFrom = FarmFixture.at(1)
        let verdict = RetryPolicy().verdict(on: task, attempts: [attempt(1, fault), attempt(2, crash)])
        #expect(verdict == .retry(afterMilliseconds: 0))
        task.countedFrom = FarmFixture.start
        #expect(RetryPolicy().verdict(on: task, attempts: [attempt(1, fault)]) == .giveUp(fault))
    }
}
