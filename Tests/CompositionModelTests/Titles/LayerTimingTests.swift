import Testing

@testable import CompositionModel
@testable import Timing

@Suite struct LayerTimingTests {
    /// The layer's own time at 0, ½, 1, … of what encloses it.
    private func times(_ timing: LayerTiming, _ count: Int) throws -> [Double] {
        try (0..<count).map { step in
            let time = try timing.time(at: RationalTime(Int64(step), 2))
            return Double(time.numerator) / Double(time.denominator)
        }
    }

    @Test func withoutADurationItRunsOn() throws {
        let timing = LayerTiming(begin: RationalTime(whole: 1), speed: RationalTime(whole: 2))
        #expect(try times(timing, 6) == [0, 0, 0, 1, 2, 3])
    }

    @Test func oneRunStopsAtItsEnd() throws {
        let timing = LayerTiming(duration: RationalTime(whole: 1), total: RationalTime(whole: 1))
        #expect(try times(timing, 5) == [0, 0.5, 1, 1, 1])
    }

    @Test func runsRepeat() throws {
        let timing = LayerTiming(duration: RationalTime(whole: 1), total: try RationalTime(5, 2))
        #expect(try times(timing, 8) == [0, 0.5, 0, 0.5, 0, 0.5, 0.5, 0.5])
        let twice = LayerTiming(duration: RationalTime(whole: 1), total: RationalTime(whole: 2))
        #expect(try times(twice, 6) == [0, 0.5, 0, 0.5, 1, 1])
        let forever = LayerTiming(duration: RationalTime(whole: 1))
        #expect(try times(forever, 6) == [0, 0.5, 0, 0.5, 0, 0.5])
    }

    @Test func everyOtherRunGoesBack() throws {
        let timing = LayerTiming(duration: RationalTime(whole: 1), total: RationalTime(whole: 4), autoreverses: true)
        #expect(try times(timing, 10) == [0, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0, 0])
    }
}
