import Testing
import Timing

@testable import Planning

/// How many frames the seconds of the rule are.
@Suite struct GridRuleTests {
    @Test(
        arguments: [
            (24, 1, 120, 720, 48), (25, 1, 125, 750, 50), (30000, 1001, 150, 899, 60), (24000, 1001, 120, 719, 48),
            (60000, 1001, 300, 1798, 120), (15, 2, 38, 225, 15), (1, 60, 1, 1, 1),
        ] as [(Int64, Int64, Int64, Int64, Int64)]
    )
    func noSegmentIsShorterOrLonger(top: Int64, bottom: Int64, shortest: Int64, longest: Int64, half: Int64) throws {
        let rate = try FrameRate(top, bottom)
        #expect(try GridRule.standard.shortestCount(rate) == shortest)
        #expect(try GridRule.standard.longestCount(rate) == longest)
        #expect(try GridRule.standard.shortestHalfCount(rate) == half)
    }
}
