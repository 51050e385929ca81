import FarmSimulation
import TestSupport
import Testing

/// Workers of different speed finish together: the makespan is at most 1.25 times that of an ideal farm, in which nobody is
/// idle before the end.
@Suite struct UnevenFarmTests {
    @Test(arguments: [1, 2] as [UInt64])
    func aHundredWorkersOfWhichTenAreTenTimesSlower(seed: UInt64) throws {
        var farm = try UnevenFarm(seed: seed, workers: 100, jobs: 20, segments: 150)
        let makespan = farm.run()
        let ideal = farm.idealMilliseconds
        #expect(4 * makespan <= 5 * ideal, "\(makespan) ms, ideal \(ideal) ms")
        #expect(farm.hedges > 0, "no second attempt was needed: the test is too easy")
    }

    /// A hundred thousand tasks take minutes: `make thorough`.
    @Test(.enabled(if: TestSeeds.isThorough))
    func aThousandWorkersAndAHundredThousandTasks() throws {
        var farm = try UnevenFarm(seed: 1, workers: 1000, jobs: 100, segments: 1000)
        let makespan = farm.run()
        let ideal = farm.idealMilliseconds
        #expect(4 * makespan <= 5 * ideal, "\(makespan) ms, ideal \(ideal) ms")
    }
}
