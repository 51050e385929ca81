import FarmSimulation
import Foundation

// MakespanBench
//
// Prints how long the simulator's workers of different speed take for a job, as a multiple of the ideal: all work at the
// speed of all workers together. Of several seeds it is the longest.

print("\nsimulator: workers of which one in ten is ten times slower")
let shapes: [(UnevenFarm.Shape, UInt64)] = [
    (UnevenFarm.Shape(workers: 100, slow: 10, tasks: 1000), 50),
    (UnevenFarm.Shape(workers: 100, slow: 10, tasks: 10_000), 5),
    (UnevenFarm.Shape(workers: 1000, slow: 100, tasks: 10_000), 3),
    (UnevenFarm.Shape(workers: 1000, slow: 100, tasks: 100_000), 1),
]
for (shape, seeds) in shapes {
    let ratio = (0..<seeds).map { UnevenFarm(seed: $0, shape).run().ratio }.max() ?? 0
    let name = "makespan, \(shape)".padding(toLength: 58, withPad: " ", startingAt: 0)
    let verdict = ratio <= 1.25 ? "reached" : "NOT REACHED"
    print("  \(name)\(String(format: "%10.2f", ratio)) x    goal 1.25 x     \(verdict)")
}
