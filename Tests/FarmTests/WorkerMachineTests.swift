import CompositionModel
import FarmSimulation
import Testing
import WireProtocol

@testable import Farm

@Suite struct WorkerMachineTests {
    private let worker: WorkerID = FarmFixture.id(1)
    private let artifact = RenderedArtifact(
        digest: FarmFixture.digest("a"),
        byteCount: 1,
        unitCount: 2,
        statistics: TaskStatistics()
    )

    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

    private func attempt(_ number: UInt64) -> AttemptID { FarmFixture.id(number) }

    private func grant(_ number: UInt64) -> LeaseGrant {
        LeaseGrant(
            attempt: attempt(number),
            task: FarmFixture.id(number),
            job: FarmFixture.id(1),
            payload: SampleJob.job(key: "k", segments: 1).tasks[0].payload,
            leaseMilliseconds: 6000,
            deadlineMilliseconds: 60_000
        )
    }

    /// Registered at 0, with a poll on its way.
    private func working(slots: Int = 1) -> (WorkerMachine, PollID) {
        var machine = WorkerMachine(slots: slots, seed: 5)
        #expect(machine.handle(.tick, at: at(0)) == [.register])
        let registered = WorkerRegistered(worker: worker, leaseMilliseconds: 6000, heartbeatMilliseconds: 1500)
        let effects = machine.handle(.registered(registered), at: at(0))
        guard case .poll(worker, let poll, slots)? = effects.first, effects.count == 1 else {
            Issue.record("no poll but \(effects)")
            return (machine, FarmFixture.id(0))
        }
        return (machine, poll)
    }

    private func running() -> WorkerMachine { running(slots: 1).0 }

    /// With attempt 1 in hand since 0, and its first heartbeat answered.
    /// - Returns: also the poll on its way, of those with a free slot.
    private func running(slots: Int) -> (WorkerMachine, PollID?) {
        var (machine, poll) = working(slots: slots)
        let effects = machine.handle(.granted(poll, [grant(1)]), at: at(0))
        #expect(effects.first == .startTask(grant(1)))
        #expect(effects.contains(heartbeat(1)))
        _ = machine.handle(.heartbeatReplied(HeartbeatReply(renewed: [attempt(1)], lost: [], drain: false)), at: at(10))
        return (machine, polls(effects).first)
    }

    private func heartbeat(_ number: UInt64, permille: Int = 0) -> WorkerEffect {
        .sendHeartbeat(
            worker,
            Heartbeat(attempts: [AttemptProgress(attempt: attempt(number), permille: permille)])
        )
    }

    private func polls(_ effects: [WorkerEffect]) -> [PollID] {
        effects.compactMap { if case .poll(_, let poll, _) = $0 { poll } else { nil } }
    }

    @Test func fromChildToAcceptance() {
        var machine = running()
        #expect(machine.handle(.childFinished(attempt(1), artifact), at: at(100)) == [.upload(attempt(1), artifact)])
        #expect(
            machine.handle(.uploadFinished(attempt(1)), at: at(200))
                == [.sendComplete(attempt(1), artifact.completion(by: worker))]
        )
        let effects = machine.handle(.completionReplied(attempt(1), .accepted), at: at(300))
        #expect(effects.first == .discard(attempt(1)))
        #expect(polls(effects).count == 1)
        #expect(machine.attempts.isEmpty)
    }

    /// Whose disk is full takes nothing for a while, longer each time, until a task succeeds.
    @Test func aFullDiskIsWaitedFor() {
        let full = Failure(code: "worker_no_space", message: "The worker's disk is full.", isPermanent: false)
        var machine = running()
        var time: Int64 = 1000
        for (number, rest) in [(UInt64(1), Int64(2000)), (2, 4000), (3, 8000), (4, 16_000), (5, 16_000)] {
            _ = machine.handle(.childFailed(attempt(number), full), at: at(time))
            #expect(polls(machine.handle(.failureReplied(attempt(number)), at: at(time + 10))).isEmpty)
            #expect(polls(machine.handle(.tick, at: at(time + rest - 1))).isEmpty)
            #expect(machine.wakeAt.map { $0 <= at(time + rest) } == true)
            let next = polls(machine.handle(.tick, at: at(time + rest)))
            #expect(next.count == 1, "after \(rest) ms")
            _ = machine.handle(.granted(next[0], [grant(number + 1)]), at: at(time + rest))
            time += rest
        }
        _ = machine.handle(.childFinished(attempt(6), artifact), at: at(time))
        _ = machine.handle(.uploadFinished(attempt(6)), at: at(time))
        let next = polls(machine.handle(.completionReplied(attempt(6), .accepted), at: at(time)))
        #expect(next.count == 1)
        _ = machine.handle(.granted(next[0], [grant(7)]), at: at(time))
        _ = machine.handle(.childFailed(attempt(7), full), at: at(time))
        _ = machine.handle(.failureReplied(attempt(7)), at: at(time))
        #expect(polls(machine.handle(.tick, at: at(time + 2000))).count == 1, "the first one again")
    }

    /// With several slots: what a poll that was out brings is handed back, two failures at a time are one, and an
    /// unanswered poll does not wake the worker before its rest is over.
    @Test func aWorkerThatRestsTakesNothing() throws {
        let full = Failure(code: "worker_no_space", message: "The worker's disk is full.", isPermanent: false)
        var (machine, poll) = running(slots: 3)
        let effects = machine.handle(.granted(try #require(poll), [grant(2)]), at: at(20))
        let open = try #require(polls(effects).first)
        for number in [UInt64(1), 2] { _ = machine.handle(.childFailed(attempt(number), full), at: at(100)) }
        let answer = machine.handle(.granted(open, [grant(3)]), at: at(150))
        #expect(answer.contains(.sendRelease(worker, LeaseRelease(attempts: [attempt(3)], leaving: false))))
        for number in [UInt64(1), 2] { _ = machine.handle(.failureReplied(attempt(number)), at: at(200)) }
        #expect(polls(machine.handle(.tick, at: at(2099))).isEmpty)
        let next = try #require(polls(machine.handle(.tick, at: at(2100))).first, "2 s after both")
        _ = machine.handle(.granted(next, [grant(4)]), at: at(2100))
        _ = machine.handle(.pollUnreachable(try #require(machine.poll?.id)), at: at(2110))
        _ = machine.handle(.childFailed(attempt(4), full), at: at(2120))
        _ = machine.handle(.failureReplied(attempt(4)), at: at(2130))
        while let wake = machine.wakeAt, wake < at(6120) {
            let effects = machine.handle(.tick, at: wake)
            #expect(!effects.isEmpty, "woken for nothing at \(wake)")
            guard !effects.isEmpty else { break }
            _ = machine.handle(.heartbeatReplied(HeartbeatReply(renewed: [], lost: [], drain: false)), at: wake)
        }
        #expect(polls(machine.handle(.tick, at: at(6120))).count == 1, "4 s after the second")
    }

    @Test func aPollWithoutAnswerIsRepeatedUnderItsName() {
        var (machine, poll) = working()
        #expect(polls(machine.handle(.pollUnreachable(poll), at: at(100))).isEmpty)
        #expect(machine.wakeAt.map { $0 <= at(500) } == true)
        #expect(polls(machine.handle(.tick, at: at(500))) == [poll])
        let next = polls(machine.handle(.granted(poll, []), at: at(600)))
        #expect(next.count == 1)
        #expect(next != [poll])
        #expect(machine.handle(.granted(poll, [grant(1)]), at: at(700)) == [], "an answer to an earlier poll")
        #expect(machine.attempts.isEmpty)
    }

    @Test func itPollsForItsFreeSlotsOnly() {
        let (_, poll) = running(slots: 2)
        #expect(poll != nil)
        var (full, none) = running(slots: 1)
        #expect(none == nil)
        #expect(polls(full.handle(.tick, at: at(5000))).isEmpty)
    }

    @Test func progressTravelsWithTheHeartbeat() {
        var machine = running()
        _ = machine.handle(.progressed(attempt(1), permille: 420), at: at(700))
        #expect(machine.handle(.tick, at: at(1500)) == [heartbeat(1, permille: 420)])
        #expect(machine.handle(.tick, at: at(9000)) == [], "one at a time")
    }

    @Test func withThreeQuartersOfTheLeaseGoneItTakesNothingNewAndGoesOn() throws {
        var (machine, inFlight) = running(slots: 3)
        let poll = try #require(inFlight)
        _ = machine.handle(.tick, at: at(1500))
        _ = machine.handle(.heartbeatUnreachable, at: at(4499))
        let late = machine.handle(.granted(poll, [grant(2)]), at: at(4500))
        #expect(late.first == .sendRelease(worker, LeaseRelease(attempts: [attempt(2)], leaving: false)))
        #expect(polls(late).isEmpty)
        #expect(machine.attempts == [attempt(1)])
        #expect(
            machine.handle(.childFinished(attempt(1), artifact), at: at(30_000)).first == .upload(attempt(1), artifact)
        )
    }

    @Test func aRenewalMakesItPollAgain() throws {
        var (machine, inFlight) = running(slots: 2)
        let poll = try #require(inFlight)
        #expect(machine.handle(.tick, at: at(4000)) == [heartbeat(1)])
        #expect(polls(machine.handle(.granted(poll, []), at: at(5000))).isEmpty)
        let reply = HeartbeatReply(renewed: [attempt(1)], lost: [], drain: false)
        #expect(polls(machine.handle(.heartbeatReplied(reply), at: at(5100))).count == 1)
    }

    @Test func aLostLeaseEndsTheChild() {
        var machine = running()
        _ = machine.handle(.tick, at: at(1500))
        let reply = HeartbeatReply(renewed: [], lost: [attempt(1)], drain: false)
        let effects = machine.handle(.heartbeatReplied(reply), at: at(1600))
        #expect(effects.first == .discard(attempt(1)))
        #expect(machine.handle(.childFinished(attempt(1), artifact), at: at(1700)) == [])
    }

    @Test func whatIsBeingReportedAwaitsItsOwnAnswer() {
        var machine = running()
        _ = machine.handle(.childFinished(attempt(1), artifact), at: at(100))
        _ = machine.handle(.uploadFinished(attempt(1)), at: at(200))
        _ = machine.handle(.tick, at: at(1500))
        let reply = HeartbeatReply(renewed: [], lost: [attempt(1)], drain: false)
        #expect(machine.handle(.heartbeatReplied(reply), at: at(1600)) == [])
        #expect(machine.attempts == [attempt(1)])
    }

    @Test func finishedWorkOutlivesACoordinatorThatIsAway() {
        var machine = running()
        _ = machine.handle(.childFinished(attempt(1), artifact), at: at(100))
        _ = machine.handle(.uploadFinished(attempt(1)), at: at(200))
        var now: Int64 = 300
        for _ in 0..<20 {
            #expect(machine.handle(.completionUnreachable(attempt(1)), at: at(now)).isEmpty || now > 1000)
            now += 6001
            let effects = machine.handle(.tick, at: at(now))
            #expect(effects.contains(.sendComplete(attempt(1), artifact.completion(by: worker))))
        }
        #expect(
            machine.handle(.completionReplied(attempt(1), .alreadyDone), at: at(now)).contains(.discard(attempt(1)))
        )
    }

    @Test func aRefusedUploadIsTriedThreeTimesAndThenReported() {
        var machine = running()
        let failure = Failure(code: "artifact_corrupt", message: "Other bytes.", isPermanent: false)
        _ = machine.handle(.childFinished(attempt(1), artifact), at: at(100))
        for now in [1000, 2000] as [Int64] {
            #expect(!machine.handle(.uploadRefused(attempt(1), failure), at: at(now)).contains(.discard(attempt(1))))
            #expect(machine.handle(.tick, at: at(now + 900)).contains(.upload(attempt(1), artifact)))
        }
        let effects = machine.handle(.uploadRefused(attempt(1), failure), at: at(3000))
        #expect(
            effects.starts(with: [
                .discard(attempt(1)), .sendFail(attempt(1), TaskFailure(worker: worker, failure: failure)),
            ])
        )
        #expect(polls(machine.handle(.failureReplied(attempt(1)), at: at(3100))).count == 1)
    }

    @Test func anArtifactThatTheCoordinatorDoesNotHaveIsUploadedAgain() {
        var machine = running()
        let failure = Failure(code: "artifact_missing", message: "It is not stored here.", isPermanent: false)
        _ = machine.handle(.childFinished(attempt(1), artifact), at: at(100))
        for now in [1000, 2000] as [Int64] {
            _ = machine.handle(.uploadFinished(attempt(1)), at: at(now - 100))
            _ = machine.handle(.completionRefused(attempt(1), failure), at: at(now))
            let again = machine.handle(.tick, at: at(now + 900))
            #expect(again.contains(.upload(attempt(1), artifact, isForced: true)))
        }
        _ = machine.handle(.uploadFinished(attempt(1)), at: at(3000))
        let effects = machine.handle(.completionRefused(attempt(1), failure), at: at(3100))
        #expect(effects.contains(.sendFail(attempt(1), TaskFailure(worker: worker, failure: failure))))
    }

    @Test func aTaskPastItsDeadlineIsStoppedAndReported() {
        var machine = running()
        _ = machine.handle(.tick, at: at(59_999))
        #expect(machine.attempts == [attempt(1)])
        let effects = machine.handle(.tick, at: at(60_000))
        #expect(effects.first == .discard(attempt(1)))
        guard case .sendFail(attempt(1), let report) = effects.dropFirst().first else {
            Issue.record("no failure but \(effects)")
            return
        }
        #expect(report.failure.code == FarmFailure.renderTimeLimit)
        #expect(!report.failure.isPermanent)
    }

    @Test func drainingFinishesWhatIsInHandAndLeaves() throws {
        var (machine, inFlight) = running(slots: 2)
        let poll = try #require(inFlight)
        #expect(machine.handle(.drainRequested, at: at(50)) == [])
        #expect(
            machine.handle(.granted(poll, [grant(2)]), at: at(60))
                == [.sendRelease(worker, LeaseRelease(attempts: [attempt(2)], leaving: false))]
        )
        _ = machine.handle(.childFinished(attempt(1), artifact), at: at(100))
        _ = machine.handle(.uploadFinished(attempt(1)), at: at(200))
        #expect(
            machine.handle(.completionReplied(attempt(1), .accepted), at: at(300))
                == [.discard(attempt(1)), .sendRelease(worker, LeaseRelease(attempts: [], leaving: true))]
        )
        #expect(machine.handle(.releaseReplied, at: at(310)) == [.exit])
        #expect(machine.phase == .exited)
        #expect(machine.wakeAt == nil)
        #expect(machine.handle(.tick, at: at(9000)) == [])
    }

    @Test func aDrainThatComesWithAHeartbeatIsHeeded() {
        var (machine, _) = working()
        #expect(machine.handle(.tick, at: at(1500)) == [.sendHeartbeat(worker, Heartbeat(attempts: []))])
        let reply = HeartbeatReply(renewed: [], lost: [], drain: true)
        #expect(
            machine.handle(.heartbeatReplied(reply), at: at(1600))
                == [.sendRelease(worker, LeaseRelease(attempts: [], leaving: true))]
        )
    }

    /// Somebody drained a worker that has work, and took it back before that ended.
    @Test func aDrainThatIsTakenBackEndsNothing() {
        var (machine, _) = running(slots: 2)
        func heard(drain: Bool, at time: Int64) {
            _ = machine.handle(.tick, at: at(time))
            let reply = HeartbeatReply(renewed: [attempt(1)], lost: [], drain: drain)
            _ = machine.handle(.heartbeatReplied(reply), at: at(time + 10))
        }
        heard(drain: true, at: 1500)
        #expect(machine.isDraining)
        heard(drain: false, at: 3100)
        #expect(!machine.isDraining && machine.attempts == [attempt(1)])
        // A process that was told to leave leaves.
        _ = machine.handle(.drainRequested, at: at(3200))
        heard(drain: false, at: 4700)
        #expect(machine.isDraining)
    }

    @Test func stoppingHandsBackAtOnce() {
        var machine = running()
        #expect(
            machine.handle(.stopRequested, at: at(50))
                == [.discard(attempt(1)), .sendRelease(worker, LeaseRelease(attempts: [attempt(1)], leaving: true))]
        )
        #expect(machine.handle(.stopRequested, at: at(51)) == [])
        #expect(machine.handle(.childFinished(attempt(1), artifact), at: at(60)) == [])
        #expect(machine.handle(.releaseReplied, at: at(70)) == [.exit])
    }

    /// `docker stop` kills after 10 s, of which the work in hand had 8: a request may last two seconds by itself.
    /// - Parameter silences: milliseconds until each goodbye comes back without an answer; the last one's for all
    ///   others.
    @Test(arguments: [[0], [2000], [0, 2000], [0, 0, 2000], [0, 0, 0, 2000], [900, 2000]] as [[Int64]])
    func aGoodbyeWithoutAnswerLastsOneAndAHalfSeconds(silences: [Int64]) throws {
        var machine = running()
        var now: Int64 = 50
        _ = machine.handle(.stopRequested, at: at(now))
        var goodbyes = 0
        while machine.phase != .exited, goodbyes < 20 {
            let back = now + silences[min(goodbyes, silences.count - 1)]
            goodbyes += 1
            let wake = try #require(machine.wakeAt, "it waits for an answer without end").milliseconds
            now = min(back, wake)
            _ = machine.handle(back <= wake ? .releaseUnreachable : .tick, at: at(now))
            guard machine.phase != .exited else { break }
            now = try #require(machine.wakeAt).milliseconds
            _ = machine.handle(.tick, at: at(now))
        }
        #expect(machine.phase == .exited)
        #expect(now <= 1550)
        #expect(silences != [0] || goodbyes > 2)
    }

    /// Whoever no coordinator knows does not wait for one that never answers.
    @Test func itIsDrainedBeforeItWasEverKnown() {
        var asking = WorkerMachine(slots: 1, seed: 1)
        _ = asking.handle(.tick, at: at(0))
        var waiting = asking
        #expect(asking.handle(.drainRequested, at: at(10)) == [.exit])
        _ = waiting.handle(.registrationUnreachable, at: at(10))
        #expect(waiting.handle(.drainRequested, at: at(11)) == [.exit])
    }

    @Test func whoIsForgottenWhileItDrainsIsDone() {
        var machine = running()
        _ = machine.handle(.drainRequested, at: at(50))
        #expect(machine.handle(.unknownWorker(worker), at: at(100)) == [.exit])
    }

    /// SIGTERM is a drain first: with nothing in hand that is the end already.
    @Test(arguments: [WorkerEvent.drainRequested, .stopRequested])
    func whoHoldsNothingLeavesWithoutAnAnswer(word: WorkerEvent) {
        var (machine, _) = working()
        _ = machine.handle(word, at: at(50))
        _ = machine.handle(.stopRequested, at: at(51))
        #expect(machine.handle(.releaseUnreachable, at: at(60)) == [.exit])
    }

    @Test func itRegistersAgainWhenTheCoordinatorHasForgottenIt() {
        var machine = running()
        #expect(machine.handle(.unknownWorker(FarmFixture.id(9)), at: at(90)) == [], "an earlier self")
        #expect(machine.handle(.unknownWorker(worker), at: at(100)) == [.discard(attempt(1)), .register])
        #expect(machine.id == nil)
        #expect(machine.handle(.registrationUnreachable, at: at(200)) == [])
        #expect(machine.handle(.tick, at: at(800)) == [.register])
    }

    @Test func itStopsBeforeItWasEverKnown() {
        var machine = WorkerMachine(slots: 1, seed: 1)
        _ = machine.handle(.tick, at: at(0))
        #expect(machine.handle(.stopRequested, at: at(10)) == [.exit])
    }
}
