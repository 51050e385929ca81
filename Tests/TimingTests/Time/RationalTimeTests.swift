import Foundation
import Testing

@testable import CompositionModel
@testable import Timing

@Suite struct RationalTimeTests {
    @Test func isReducedWithItsSignAbove() throws {
        let time = try RationalTime(6, -4)
        #expect(time.numerator == -3 && time.denominator == 2)
        #expect(try RationalTime(0, -7) == .zero)
    }

    @Test func whatDoesNotFitIsAnErrorNeverAWrap() throws {
        let largest = RationalTime(whole: .max)
        #expect(throws: TimeError.overflow) { try largest.adding(RationalTime(whole: 1)) }
        #expect(throws: TimeError.overflow) { try largest.multiplied(by: RationalTime(whole: 2)) }
        #expect(throws: TimeError.overflow) { try RationalTime(1, .min) }
        #expect(throws: TimeError.overflow) { try RationalTime(1, .max).adding(RationalTime(1, .max - 1)) }
        #expect(throws: TimeError.overflow) { try largest.count(of: RationalTime(1, 2)) }
        #expect(throws: TimeError.zeroDenominator) { try RationalTime(1, 0) }
        #expect(throws: TimeError.zeroDenominator) { try RationalTime(whole: 1).divided(by: .zero) }
        #expect(try RationalTime(.min, .min) == RationalTime(whole: 1))
    }

    struct Count {
        let time: (Int64, Int64)
        let unit: (Int64, Int64)
        let nearest: Int64
        let down: Int64
        let up: Int64
    }

    static let counts = [
        Count(time: (1, 2), unit: (1, 1), nearest: 1, down: 0, up: 1),
        Count(time: (-1, 2), unit: (1, 1), nearest: -1, down: -1, up: 0),
        Count(time: (5, 2), unit: (1, 1), nearest: 3, down: 2, up: 3),
        Count(time: (-5, 2), unit: (1, 1), nearest: -3, down: -3, up: -2),
        Count(time: (1001, 30_000), unit: (1, 48_000), nearest: 1602, down: 1601, up: 1602),
        Count(time: (2, 1), unit: (1001, 30_000), nearest: 60, down: 59, up: 60),
        Count(time: (7, 1), unit: (7, 1), nearest: 1, down: 1, up: 1),
    ]

    @Test(arguments: counts) func roundsAsNamed(_ count: Count) throws {
        let time = try RationalTime(count.time.0, count.time.1)
        let unit = try RationalTime(count.unit.0, count.unit.1)
        #expect(try time.count(of: unit).value == count.nearest)
        #expect(try time.count(of: unit, rounding: .down).value == count.down)
        #expect(try time.count(of: unit, rounding: .up).value == count.up)
        #expect(try time.count(of: unit).isExact == (count.down == count.up))
    }

    @Test func codesAsAFractionAndNothingElse() throws {
        let time = try RationalTime(1001, 30_000)
        let data = try JSONEncoder().encode([time, RationalTime(whole: 2)])
        #expect(String(decoding: data, as: UTF8.self).replacing("\\/", with: "/") == "[\"1001/30000\",\"2/1\"]")
        #expect(try JSONDecoder().decode([RationalTime].self, from: data)[0] == time)
        for wrong in ["\"2\"", "2", "\"1/0\"", "\"a/b\"", "\"1/2/3\"", "\"\"", "\"1/-9223372036854775808\""] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([RationalTime].self, from: Data("[\(wrong)]".utf8))
            }
        }
    }

    @Test func rangesAreHalfOpen() throws {
        let range = try TimeRange(start: RationalTime(whole: 1), duration: RationalTime(whole: 2))
        #expect(try range.contains(RationalTime(whole: 1)))
        #expect(try range.contains(RationalTime(2999, 1000)))
        #expect(try !range.contains(RationalTime(whole: 3)))
        #expect(throws: TimeError.notPositive) { try TimeRange(start: .zero, duration: RationalTime(whole: -1)) }
        let text = Data(#"{"start":"0/1","duration":"-1/1"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TimeRange.self, from: text) }
    }

    @Test func frameRangesRefuseWhatCannotBe() throws {
        let good = try JSONDecoder().decode(FrameRange.self, from: Data(#"{"start":5,"count":0}"#.utf8))
        #expect(good.isEmpty && good.end == 5)
        for wrong in [#"{"start":0,"count":-1}"#, #"{"start":9223372036854775807,"count":1}"#, #"{"start":0}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(FrameRange.self, from: Data(wrong.utf8))
            }
        }
    }
}
