import Foundation
import Testing

@testable import Timing

@Suite struct FrameRateTests {
    /// One rounding of the absolute position: the errors of pieces never add up.
    @Test func samplesOfFramesDoNotDrift() throws {
        let rate = try FrameRate(30_000, 1001)
        #expect(try rate.sample(ofFrame: 1, sampleRate: 48_000) == 1602)
        #expect(try rate.sample(ofFrame: 5, sampleRate: 48_000) == 8008)
        #expect(try rate.sample(ofFrame: 30_000, sampleRate: 48_000) == 1001 * 48_000)
        #expect(try rate.sample(ofFrame: 30_000, sampleRate: 44_100) == 1001 * 44_100)
        #expect(
            try (0...7).map { try rate.frameCount(ofSamples: $0 * 801, sampleRate: 48_000) } == [
                0, 1, 1, 2, 3, 3, 4, 4,
            ]
        )
        #expect(try rate.frameCount(ofSamples: 1603, sampleRate: 48_000) == 2)
    }

    @Test func framesAndTimesGoBothWays() throws {
        for (top, bottom) in [(25, 1), (30_000, 1001), (60_000, 1001), (24, 1), (25, 2), (1, 3)] {
            let rate = try FrameRate(Int64(top), Int64(bottom))
            for frame in [0, 1, 999, 107_892, 1 << 40] as [Int64] {
                let back = try rate.frame(at: rate.time(ofFrame: frame))
                #expect(back.value == frame && back.isExact)
            }
        }
    }

    @Test func mustBePositive() {
        #expect(throws: TimeError.notPositive) { try FrameRate(0) }
        #expect(throws: TimeError.notPositive) { try FrameRate(-25) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([FrameRate].self, from: Data(#"["0/1"]"#.utf8))
        }
    }
}
