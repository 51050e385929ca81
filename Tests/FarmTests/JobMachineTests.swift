import CompositionModel
import Testing
import WireProtocol

@testable import Farm

@Suite struct JobMachineTests {
    private func task(_ state: TaskState, stage: Int = 0, artifact: String? = nil) -> TaskRecord {
        var task = FarmFixture.task(stage: stage)
        task.state = state
        task.artifact = artifact.map(FarmFixture.digest)
        task.byteCount = artifact == nil ? nil : 77
        if state == .failed { task.failure = Failure(code: "c", message: "m", isPermanent: true) }
        return task
    }

    private let now = FarmFixture.at(5)

    @Test func itGoesFromQueuedToCompletedAsItsTasksDo() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [2, 1]))
        #expect(machine.taskChanged(task(.leased), from: .queued, at: now) == [.updated, .entered(.rendering)])
        #expect(machine.taskChanged(task(.leased), from: .queued, at: now) == [])
        #expect(machine.taskChanged(task(.completed, artifact: "a"), from: .leased, at: now) == [.updated])
        #expect(machine.job.openStage == 0)
        #expect(
            machine.taskChanged(task(.completed, artifact: "b"), from: .leased, at: now)
                == [.updated, .entered(.stitching)]
        )
        #expect(machine.job.openStage == 1)
        #expect(machine.taskChanged(task(.leased, stage: 1), from: .queued, at: now) == [])
        #expect(
            machine.taskChanged(task(.completed, stage: 1, artifact: "movie"), from: .leased, at: now)
                == [.updated, .entered(.completed)]
        )
        #expect(machine.job.artifact == FarmFixture.digest("movie"))
        #expect(machine.job.byteCount == 77)
        #expect(machine.job.finished == now)
        #expect(machine.job.openStage == nil)
    }

    /// All its parts were there; it is joined once the job before it is completed, and says so from then on.
    @Test func aJobThatAwaitsAnotherIsNotBeingJoined() {
        var job = FarmFixture.job(remaining: [1, 1])
        let other = EarlierJob(id: FarmFixture.id(9), title: "before", state: .rendering)
        job.awaitedJobs = [other.id]
        var machine = JobMachine(job: job)
        #expect(machine.taskChanged(task(.completed, artifact: "a"), from: .queued, at: now) == [.updated])
        #expect(machine.job.state == .queued)
        #expect(machine.follow([other], unfinished: [], at: now).isEmpty)
        var ended = other
        ended.state = .completed
        #expect(machine.follow([ended], unfinished: [], at: now) == [.updated, .entered(.stitching)])
    }

    @Test func aTaskThatIsDoneTwiceIsCountedOnce() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [2, 1]))
        #expect(machine.taskChanged(task(.completed, artifact: "a"), from: .leased, at: now) == [.updated])
        #expect(machine.taskChanged(task(.completed, artifact: "a"), from: .completed, at: now) == [])
        #expect(machine.job.remaining == [1, 1])
    }

    @Test func aFailedTaskFailsItWithItsReason() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [2, 1]))
        #expect(
            machine.taskChanged(task(.failed), from: .leased, at: now)
                == [.cancelOpenTasks, .updated, .entered(.failed)]
        )
        #expect(machine.job.failure?.code == "c")
        #expect(machine.cancel(at: now) == (.alreadyFinal, []))
        #expect(machine.job.openStage == nil)
    }

    @Test func itFollowsItsWindowWhenTheMomentHasComeAndNotBefore() throws {
        var job = FarmFixture.job(remaining: [2, 1])
        // FarmFixture's time begins at 22:13:20 UTC.
        let opens = try #require(WallTime("22:14"))
        job.window = JobWindow(after: opens, until: try #require(WallTime("22:15")), timeZone: "UTC")
        job.setWindow(at: FarmTime(milliseconds: 1_700_000_000_000))
        var machine = JobMachine(job: job)
        let change = FarmTime(milliseconds: 1_700_000_040_000)
        #expect(machine.job.isOutsideWindow && machine.job.windowChange == change)
        #expect(machine.followWindow(at: change.adding(milliseconds: -1)) == [])
        #expect(machine.followWindow(at: change) == [.updated, .entered(.queued)])
        #expect(!machine.job.isOutsideWindow)
        // Nobody looked while it closed, opened and closed again.
        let later = change.adding(milliseconds: 86_400_000 + 90_000)
        #expect(machine.followWindow(at: later) == [.updated, .entered(.queued)])
        #expect(machine.job.isOutsideWindow && machine.job.windowChange == change.adding(milliseconds: 2 * 86_400_000))
        // A whole window was missed: there is nothing to tell.
        let latest = later.adding(milliseconds: 3 * 86_400_000)
        #expect(machine.followWindow(at: latest) == [.updated])
        _ = machine.cancel(at: latest)
        #expect(machine.followWindow(at: latest.adding(milliseconds: 9 * 86_400_000)) == [])
    }

    /// One bad still stops no other: the job fails when all its tasks are done.
    @Test func stillsThatFailStopNoOthers() {
        func stills(_ state: TaskState, artifact: String? = nil) -> TaskRecord {
            var task = self.task(state, artifact: artifact)
            task.kind = .stills
            return task
        }
        var machine = JobMachine(job: FarmFixture.job(remaining: [3]))
        #expect(machine.taskChanged(stills(.leased), from: .queued, at: now) == [.updated, .entered(.rendering)])
        #expect(machine.taskChanged(stills(.completed, artifact: "a"), from: .leased, at: now) == [.updated])
        #expect(machine.taskChanged(stills(.failed), from: .leased, at: now) == [.updated])
        #expect(machine.job.state == .rendering && machine.job.openStage == 0)
        #expect(
            machine.taskChanged(stills(.completed, artifact: "b"), from: .leased, at: now)
                == [.updated, .entered(.failed)]
        )
        #expect(machine.job.failure?.code == "c" && machine.job.artifact == nil && machine.job.finished == now)
    }

    @Test func itIsCancelledOnceAndForGood() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [1]))
        #expect(machine.cancel(at: now) == (.cancelled, [.cancelOpenTasks, .updated, .entered(.cancelled)]))
        #expect(machine.cancel(at: now) == (.cancelled, []))
        #expect(machine.taskChanged(task(.completed), from: .leased, at: now) == [])
        #expect(machine.job.state == .cancelled)
    }

    @Test func progressIsWeighedByCost() {
        let tasks: [(costMilliseconds: Int64, permille: Int)] = [(3000, 1000), (1000, 500), (1000, 0)]
        #expect(JobRecord.progress(tasks) == 700)
        #expect(JobRecord.progress([]) == 0)
    }

    @Test func aStageOpensOnlyWhenAllBeforeItAreDone() {
        var decision = TaskDecision(
            job: FarmFixture.job(remaining: [1, 1]),
            task: FarmFixture.task(stage: 1),
            attempts: [],
            policy: FarmPolicy()
        )
        let attempt = decision.grant(
            FarmFixture.id(1),
            to: FarmFixture.worker(1),
            poll: FarmFixture.id(1),
            because: .turn(expiry: FarmFixture.start),
            at: now
        )
        #expect(attempt == nil)
        #expect(decision.changes.isEmpty)
    }

    /// Pictures need not wait for rounds of measuring, and the joining waits for both.
    @Test func whatIsIndependentIsOpenFromTheFirst() {
        let job = FarmFixture.job(remaining: [1, 2, 1])
        var picture = FarmFixture.task(stage: 1)
        #expect(!picture.isOpen(in: job))
        picture.isIndependent = true
        #expect(picture.isOpen(in: job))
        var machine = JobMachine(job: job)
        picture.state = .completed
        #expect(machine.taskChanged(picture, from: .leased, at: now) == [.updated])
        #expect(machine.job.openStage == 0)
        #expect(machine.taskChanged(task(.completed), from: .leased, at: now) == [.updated])
        #expect(machine.job.openStage == 1 && machine.job.state == .queued)
        #expect(
            machine.taskChanged(task(.completed, stage: 1), from: .leased, at: now) == [.updated, .entered(.stitching)]
        )
        #expect(machine.job.openStage == 2)
        _ = machine.taskChanged(task(.completed, stage: 2, artifact: "movie"), from: .leased, at: now)
        #expect(machine.job.state == .completed && !picture.isOpen(in: machine.job))
    }

    @Test func whatIsToBeWrittenComesInOrder() {
        var decision = TaskDecision(
            job: FarmFixture.job(remaining: [1]),
            task: FarmFixture.task(),
            attempts: [],
            policy: FarmPolicy()
        )
        let attempt = decision.grant(
            FarmFixture.id(1),
            to: FarmFixture.worker(1),
            poll: FarmFixture.id(1),
            because: .turn(expiry: FarmFixture.start),
            at: now
        )
        let words = decision.changes.map { change in
            switch change {
            case .insertAttempt(let inserted): "insert \(inserted == attempt)"
            case .updateTask(let task): "task \(task.state)"
            case .updateJob(let job): "job \(job.state)"
            case .event(_, let task, let state): "event \(task == nil ? "job" : "task") \(state)"
            default: "other"
            }
        }
        #expect(
            words == ["insert true", "task leased", "event task leased", "job rendering", "event job rendering"]
        )
    }

    @Test func aPausedJobKeepsItsStateAndOpensNothing() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [2, 1]))
        #expect(machine.setPaused(true) == (.done, [.updated, .entered(.queued)]))
        #expect(machine.setPaused(true) == (.done, []), "it is so already")
        #expect(!FarmFixture.task().isOpen(in: machine.job))
        // What runs is accepted.
        #expect(machine.taskChanged(task(.completed, artifact: "a"), from: .leased, at: now) == [.updated])
        #expect(machine.setPaused(false) == (.done, [.updated, .entered(.queued)]))
        #expect(FarmFixture.task().isOpen(in: machine.job))
        _ = machine.cancel(at: now)
        #expect(machine.setPaused(true) == (.alreadyFinal, []))
        #expect(machine.setPriority(5) == (.alreadyFinal, []))
    }

    @Test func onlyAJobThatFailedIsRetried() {
        var machine = JobMachine(job: FarmFixture.job(remaining: [2, 1]))
        #expect(machine.retry(unfinished: [2, 1]) == (.done, []), "it runs")
        _ = machine.taskChanged(task(.failed), from: .leased, at: now)
        #expect(machine.retry(unfinished: [1, 1]) == (.done, [.retryTasks, .updated, .entered(.rendering)]))
        #expect(machine.job.failure == nil && machine.job.finished == nil && machine.job.remaining == [1, 1])
        _ = machine.taskChanged(task(.completed, artifact: "a"), from: .leased, at: now)
        _ = machine.taskChanged(task(.failed, stage: 1), from: .leased, at: now)
        #expect(machine.retry(unfinished: [0, 1]) == (.done, [.retryTasks, .updated, .entered(.stitching)]))
        _ = machine.cancel(at: now)
        #expect(machine.retry(unfinished: [0, 1]) == (.notFailed, []))
    }

    @Test func aMovieIsDeliveredOnceItIsThere() {
        var job = FarmFixture.job(remaining: [1])
        job.delivery = DeliveryRecord(target: "exports/a.mp4", replaces: false)
        var machine = JobMachine(job: job)
        #expect(machine.job.claimsTarget)
        #expect(machine.note(.delivered, at: now) == [], "there is no movie yet")
        _ = machine.taskChanged(task(.completed, artifact: "movie"), from: .leased, at: now)
        #expect(machine.note(.failed("full", retryMilliseconds: 7), at: now) == [.updated])
        #expect(machine.job.delivery?.due == now.adding(milliseconds: 7) && machine.job.claimsTarget)
        #expect(machine.note(.delivered, at: now) == [.updated, .delivered])
        #expect(machine.job.delivery?.problem == nil && !machine.job.claimsTarget)
        #expect(machine.note(.delivered, at: now) == [])
        var fetched = JobMachine(job: FarmFixture.job(remaining: [1]))
        _ = fetched.taskChanged(task(.completed, artifact: "movie"), from: .leased, at: now)
        #expect(fetched.note(.delivered, at: now) == [], "it goes nowhere")
    }
}
