import EditSamples
import TestSupport
import Testing

@testable import CompositionModel
@testable import Timing

/// The runs in which a stream shows each frame once are those that its frames on screen, asked for one by one, give.
@Suite struct ShownRunTests {
    @Test(arguments: 1...60) func runsAreWhatIsOnScreen(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let ticks = (0..<7).map { _ in Int64(random.below(4) == 0 ? 1 + random.below(90) : 40) }
        let stream = SampleAsset.variable(ticks: ticks, count: 200, gop: 20)
        let rates = [try FrameRate(25), try FrameRate(30_000, 1001), try FrameRate(24_000, 1001), try FrameRate(60)]
        let step = rates[random.below(rates.count)].frameDuration
        let start = try RationalTime(Int64(random.below(3000)), Int64(1 + random.below(1001)))
        let count = Int64(random.below(400))
        var shown: [Int64] = []
        for number in 0..<count {
            let time = try start.adding(RationalTime(number, of: step))
            guard time < stream.duration else { break }
            shown.append(try stream.frame(shownAt: time))
        }
        let runs = try stream.shownRuns(from: start, step: step, count: count)
        #expect(runs.flatMap { $0.frames.start..<$0.frames.end } == shown)
        #expect(runs.map(\.first) == runs.indices.map { runs[..<$0].reduce(0) { $0 + $1.frames.count } })
        // A run ends only where the next time shows another frame than the next one.
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.frames.end != $1.frames.start })
    }

    /// Times that no file has are an error.
    @Test func whatDoesNotFitIsAnError() throws {
        let stream = SampleAsset.variable(ticks: [40], count: 10, gop: 1)
        let late = RationalTime(whole: .max / 2)
        #expect(throws: TimeError.overflow) {
            try stream.shownRuns(from: late, step: RationalTime(1, 25), count: 3)
        }
    }
}
