import Testing
import Timing

@testable import Media

@Suite struct SoundClockRoundingTests {
    /// A tick of 90 kHz is 8/15 of a sample at 48 kHz.
    @Test(arguments: [(1, 1), (-1, -1), (2, 1), (3, 2), (-3, -2), (15, 8), (-15, -8)] as [(Int64, Int64)])
    func aTimeIsTheNearestSample(ticks: Int64, sample: Int64) throws {
        let clock = SoundClock(timeBase: try RationalTime(1, 90_000), sampleRate: 48_000, origin: 900)
        #expect(clock.sample(at: 900 + ticks) == sample)
    }
}
