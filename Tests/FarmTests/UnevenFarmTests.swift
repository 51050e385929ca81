import FarmSimulation
import Testing

@testable import Farm

/// Workers of different speed finish together.
@Suite struct UnevenFarmTests {
    /// The shape, and how many seeds of it.
    private static let shapes: [(UnevenFarm.Shape, UInt64)] = [
        (UnevenFarm.Shape(workers: 100, slow: 10, tasks: 1000), 50),
        (UnevenFarm.Shape(workers: 100, slow: 10, tasks: 2500), 10),
        (UnevenFarm.Shape(workers: 1000, slow: 100, tasks: 100_000), 1),
    ]

    @Test(arguments: shapes)
    func theLastTaskIsDoneWithinAQuarterMoreThanTheIdeal(shape: UnevenFarm.Shape, seeds: UInt64) {
        for seed in 0..<seeds {
            let report = UnevenFarm(seed: seed, shape).run()
            #expect(report.ratio <= 1.25, "\(shape), seed \(seed): \(report.ratio)")
            #expect(report.ratio >= 1, "nobody is faster than all workers together: \(shape), seed \(seed)")
        }
    }

    /// Nobody renders twice what is done soon anyway.
    @Test func fewTasksAreBegunTwice() {
        let shape = UnevenFarm.Shape(workers: 100, slow: 10, tasks: 1000)
        for seed in 0..<20 as Range<UInt64> {
            let report = UnevenFarm(seed: seed, shape).run()
            #expect(report.hedges <= 20, "seed \(seed): \(report.hedges)")
        }
    }
}
