import Testing

@testable import Timing

/// Halves, which random quotients hardly ever are, and the words for times that were rounded.
@Suite struct RoundingTests {
    @Test(arguments: [(1, 2, 1), (-1, 2, -1), (3, 2, 2), (-3, 2, -2), (1, 3, 0), (2, 3, 1), (-2, 3, -1), (5, -2, -3)])
    func halvesGoAwayFromZero(dividend: Int, divisor: Int, quotient: Int) {
        let (value, isExact) = Rounding.halfAwayFromZero.divide(Int128(dividend), by: Int128(divisor))
        #expect(value == Int128(quotient) && !isExact)
    }

    @Test func roundedTimesAreMarked() throws {
        #expect(try TimeWords.seconds(RationalTime(1001, 30_000)) == "≈ 0.033367 s")
        #expect(try TimeWords.seconds(RationalTime(62, 25)) == "2.48 s")
    }
}
