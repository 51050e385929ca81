import FarmSimulation
import Testing
import Timing

@testable import Farm

/// The time left of a job as people are told: it does not jump back up without a reason.
@Suite struct FinishEstimateTests {
    private func tell(_ paced: [Double?], left: [Int64] = [], every seconds: Int64 = 1) -> [Double?] {
        var estimate = FinishEstimate()
        return paced.enumerated().map { index, paced in
            let left = index < left.count ? left[index] : left.last ?? 1000
            return estimate.tell(
                paced,
                workLeft: left,
                of: 100_000,
                at: FarmTime(milliseconds: Int64(index) * seconds * 1000)
            )
        }
    }

    @Test func itCountsDown() {
        #expect(tell([60, 59, 58, nil, 57]) == [60, 59, 58, nil, 57], "while nothing is under way it stands")
    }

    @Test func whereThePaceSaysLessItFollowsInTenSeconds() {
        let told = tell([60] + [Double?](repeating: 20, count: 40)).compactMap(\.self)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 > $1 || $0 == 20 })
        #expect(told[10] < 36 && told[30] < 22)
    }

    @Test func whereThePaceSaysALittleMoreItWaits() {
        let told = tell([60, 59, 70, 70, 70, 70, 57, 56]).compactMap(\.self)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 >= $1 }, "\(told)")
        #expect(told[5] > 56)
    }

    /// Nobody asked for an hour: what was told then is no countdown any more.
    @Test func whatWasToldLongAgoIsForgotten() {
        var estimate = FinishEstimate()
        _ = estimate.tell(40, workLeft: 50_000, of: 100_000, at: FarmTime(milliseconds: 10_000))
        let later = FarmTime(milliseconds: 3_610_000)
        #expect(estimate.tell(3000, workLeft: 49_000, of: 100_000, at: later) == 3000 && estimate.rise == .slower)
        #expect(estimate.tell(2999, workLeft: 49_000, of: 100_000, at: later.adding(milliseconds: 1000)) == 2999)
    }

    @Test func itRisesWithTheWork() {
        var estimate = FinishEstimate()
        _ = estimate.tell(60, workLeft: 50_000, of: 100_000, at: FarmTime(milliseconds: 0))
        _ = estimate.tell(59, workLeft: 49_000, of: 100_000, at: FarmTime(milliseconds: 1000))
        let same = estimate.tell(70, workLeft: 49_400, of: 100_000, at: FarmTime(milliseconds: 2000))
        #expect((same ?? 99) <= 59 && estimate.rise == nil, "progress is told in thousandths")
        let more = estimate.tell(70, workLeft: 52_000, of: 100_000, at: FarmTime(milliseconds: 3000))
        #expect(more == 70 && estimate.rise == .moreWork)
    }

    @Test func itRisesWhenThePaceHasSaidMoreForLong() {
        var estimate = FinishEstimate()
        for second in 0..<32 as Range<Int64> {
            let told = estimate.tell(
                second == 0 ? 60 : 90,
                workLeft: 1,
                of: 10,
                at: FarmTime(milliseconds: second * 1000)
            )
            #expect(second < 31 ? told ?? 99 <= 60 : told == 90, "after \(second) s")
        }
        #expect(estimate.rise == .slower)
    }

    /// What was told of one simulated job.
    private struct Told {
        var answers = 0
        /// The rises of what was told, by reason, and of the pace itself.
        var rises: [FinishEstimate.Rise: Int] = [:]
        var unexplained = 0
        var pacedRises = 0
        /// The sum of the errors in the middle of the job, in parts of what was really left.
        var error = 0.0
        var measured = 0
    }

    private func follow(_ seed: UInt64, deaths: Int) throws -> Told {
        var job = PacedJob(seed: seed, tasks: 200, workers: 8, deaths: deaths)
        var (estimate, told) = (FinishEstimate(), Told())
        var (last, lastPaced): (Double?, Double?) = (nil, nil)
        var answers: [(second: Int64, left: Double)] = []
        while !job.isDone {
            job.step()
            let paced = JobPace(job.standing, permille: job.permille, frameRate: try FrameRate(25), at: job.now)
                .secondsLeft
            let left = Int64(1000 - job.permille) * job.costMilliseconds / 1000
            guard let now = estimate.tell(paced, workLeft: left, of: job.costMilliseconds, at: job.now) else {
                continue
            }
            told.answers += 1
            if let rise = estimate.rise { told.rises[rise, default: 0] += 1 }
            if let last, now > last, estimate.rise == nil { told.unexplained += 1 }
            if let lastPaced, let paced, paced > lastPaced { told.pacedRises += 1 }
            (last, lastPaced) = (now, paced)
            answers.append((job.second, now))
        }
        for answer in answers where answer.second > job.second / 5 && answer.second < job.second * 4 / 5 {
            let left = Double(job.second - answer.second)
            told.error += abs(answer.left - left) / left
            told.measured += 1
        }
        return told
    }

    /// 60 jobs of 200 parts on 8 workers: half of them calm, in the others workers die.
    @Test(arguments: [0, 3]) func inSimulatedJobsItNeverRisesWithoutAReason(deaths: Int) throws {
        var sum = Told()
        for seed in 0..<30 as Range<UInt64> {
            let told = try follow(seed, deaths: deaths)
            #expect(told.unexplained == 0, "seed \(seed)")
            #expect(told.rises.values.reduce(0, +) <= 4, "seed \(seed): \(told.rises)")
            (sum.answers, sum.pacedRises) = (sum.answers + told.answers, sum.pacedRises + told.pacedRises)
            (sum.error, sum.measured) = (sum.error + told.error, sum.measured + told.measured)
            sum.rises.merge(told.rises, uniquingKeysWith: +)
        }
        let error = sum.error / Double(sum.measured)
        let words = "\(sum.answers) answers, rises \(sum.rises), of the pace \(sum.pacedRises), mean error \(error)"
        #expect(sum.pacedRises > sum.answers / 10, "the pace alone jumps: \(words)")
        #expect(error < 0.25, "\(words)")
        #expect(deaths > 0 || sum.rises.values.reduce(0, +) <= 30, "\(words)")
    }
}
