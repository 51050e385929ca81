import Foundation

// PlanningBench FIRST COUNT
//     plans the hostile submissions of COUNT seeds from FIRST on
// PlanningBench --clips COUNT RATE LENGTH
//     plans an edit of COUNT clips of LENGTH frames at RATE frames a second

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.compactMap { UInt64($0) }
if arguments.first == "--clips", numbers.count == 3 {
    // Goals for 200,000 clips, and for 5,000.
    let goal: (Double, Int)? = numbers[0] >= 200_000 ? (5, 300) : numbers[0] == 5_000 ? (0.5, 300) : nil
    try ManyClips(count: Int(numbers[0]), rate: Int(numbers[1]), length: Int(numbers[2]), goal: goal).plan()
} else if arguments.count == 2, numbers.count == 2 {
    HostileSubmissions.plan(seeds: numbers[0]..<(numbers[0] + numbers[1]))
} else {
    print("usage: PlanningBench FIRST COUNT | PlanningBench --clips COUNT RATE LENGTH")
    exit(64)
}
