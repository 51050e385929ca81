import FarmSimulation
import Foundation
import Testing

@testable import Farm

/// Workers of different speed finish together.
@Suite struct UnevenFarmTests {
    private static let isThorough = ProcessInfo.processInfo.environment["CUTFARM_THOROUGH"] != nil

    /// The shape, and how many seeds of it. The large farm takes minutes in a debug build.
    private static let shapes: [(UnevenFarm.Shape, UInt64)] = {
        let small = UnevenFarm.Shape(workers: 100, slow: 10, tasks: 1000)
        let medium = UnevenFarm.Shape(workers: 100, slow: 10, tasks: 2500)
        guard isThorough else { return [(small, 8), (medium, 1)] }
        return [(small, 50), (medium, 10), (UnevenFarm.Shape(workers: 1000, slow: 100, tasks: 100_000), 1)]
    }()

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
        let seeds: UInt64 = Self.isThorough ? 20 : 4
        for seed in 0..<seeds {
            let report = UnevenFarm(seed: seed, shape).run()
            #expect(report.hedges <= 20, "seed \(seed): \(report.hedges)")
        }
    }
}
