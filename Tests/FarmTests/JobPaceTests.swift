import Farm
import Testing
import Timing

/// How fast a job goes, from what its attempts did in the last half minute.
@Suite struct JobPaceTests {
    private static let now = FarmTime(milliseconds: 100_000)

    private func effort(_ position: Int, from start: Int64, to end: Int64?, permille: Int = 1000) -> TaskEffort {
        TaskEffort(
            position: position,
            frames: 250,
            costMilliseconds: 1000,
            started: Self.now.adding(milliseconds: -start),
            ended: end.map { Self.now.adding(milliseconds: -$0) },
            permille: permille
        )
    }

    private func pace(_ efforts: [TaskEffort]) throws -> JobPace {
        let standing = JobStanding(costMilliseconds: 10_000, efforts: efforts)
        return JobPace(standing, permille: 600, frameRate: try FrameRate(25), at: Self.now)
    }

    @Test func completedAndRunningCount() throws {
        // 250 frames in 10 s and half of 250 in the same time: 375 frames, which are 15 s, in 20 s.
        let pace = try pace([effort(0, from: 20_000, to: 10_000), effort(1, from: 10_000, to: nil, permille: 500)])
        #expect(pace.speed == 0.75)
        // 1500 ms of cost in 20 s; 4000 ms are left.
        #expect(abs((pace.secondsLeft ?? 0) - 4000 / 75) < 1e-9)
    }

    @Test func whatLiesBeforeTheWindowDoesNotCount() throws {
        // 60 s for 250 frames, of which half lies in the window.
        #expect(try pace([effort(0, from: 60_000, to: nil)]).speed == 125.0 / 25 / 30)
        #expect(try pace([effort(0, from: 60_000, to: 31_000)]).speed == nil)
    }

    /// The last task of many keeps one worker busy, however fast all of them were together.
    @Test func itIsNotDoneBeforeTheSlowestTask() throws {
        let done = (1...20).map { effort($0, from: 10_000, to: 5000) }
        let pace = try pace(done + [effort(0, from: 30_000, to: nil, permille: 300)])
        #expect(pace.secondsLeft == 70)
    }

    /// An attempt that has hardly begun fetched its sources until now: it tells nothing of the end.
    @Test func anAttemptThatHardlyBeganTellsNothing() throws {
        let done = (1...20).map { effort($0, from: 10_000, to: 5000) }
        let pace = try pace(done + [effort(0, from: 120_000, to: nil, permille: 1)])
        #expect((pace.secondsLeft ?? 1000) < 20)
    }

    @Test func ofTwoAttemptsTheFurtherCounts() throws {
        let both = try pace([
            effort(0, from: 10_000, to: nil, permille: 500), effort(0, from: 4000, to: nil, permille: 100),
        ])
        #expect(both == (try pace([effort(0, from: 10_000, to: nil, permille: 500)])))
    }

    @Test func nothingIsToldOfAMomentOrOfNothing() throws {
        #expect(try pace([effort(0, from: 900, to: nil, permille: 300)]).speed == nil)
        #expect(try pace([effort(0, from: 5000, to: nil, permille: 0)]).secondsLeft == nil)
        #expect(try pace([]).speed == nil)
    }
}
