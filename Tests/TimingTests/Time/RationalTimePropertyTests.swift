import TestSupport
import Testing

@testable import Timing

/// Every operation against the same operation on numbers without bounds.
@Suite struct RationalTimePropertyTests {
    /// A fraction that is not reduced, of unbounded numbers.
    struct Fraction {
        var top: BigInteger
        var bottom: BigInteger

        /// Reduced by Euclid, with the sign above; nil when a part does not fit into Int64.
        var reduced: (top: Int64, bottom: Int64)? {
            var (a, b) = (top.isNegative ? -top : top, bottom.isNegative ? -bottom : bottom)
            while !b.isZero { (a, b) = (b, a.quotientAndRemainder(dividingBy: b).remainder) }
            let sign = BigInteger(bottom.isNegative ? -1 : 1)
            let (n, d) = (top * sign, bottom * sign)
            guard let top = n.quotientAndRemainder(dividingBy: a).quotient.int64,
                let bottom = d.quotientAndRemainder(dividingBy: a).quotient.int64
            else { return nil }
            return (top, bottom)
        }
    }

    private func agree(
        _ expected: Fraction,
        _ actual: () throws -> RationalTime,
        _ what: String
    ) {
        let result = Result(catching: actual)
        guard let (top, bottom) = expected.reduced else {
            #expect(throws: TimeError.overflow, "\(what)") { try result.get() }
            return
        }
        let time = try? result.get()
        #expect(time?.numerator == top && time?.denominator == bottom, "\(what)")
    }

    private func fraction(_ time: RationalTime) -> Fraction {
        Fraction(top: BigInteger(time.numerator), bottom: BigInteger(time.denominator))
    }

    private func anyTime(_ random: inout SplitMix) -> RationalTime {
        while true {
            if let time = try? RationalTime(random.anyInt64(), random.anyInt64()) { return time }
        }
    }

    @Test(arguments: [1, 2, 3]) func operations(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            let (a, b) = (anyTime(&random), anyTime(&random))
            let (x, y) = (fraction(a), fraction(b))
            let cross = (x.top * y.bottom, y.top * x.bottom, x.bottom * y.bottom)
            agree(Fraction(top: cross.0 + cross.1, bottom: cross.2), { try a.adding(b) }, "\(a) + \(b)")
            agree(Fraction(top: cross.0 - cross.1, bottom: cross.2), { try a.subtracting(b) }, "\(a) - \(b)")
            agree(Fraction(top: x.top * y.top, bottom: cross.2), { try a.multiplied(by: b) }, "\(a) × \(b)")
            if !y.top.isZero {
                agree(Fraction(top: cross.0, bottom: x.bottom * y.top), { try a.divided(by: b) }, "\(a) : \(b)")
            }
            #expect((a < b) == (cross.0 < cross.1), "\(a) < \(b)")
            #expect((a == b) == (cross.0 == cross.1), "\(a) == \(b)")
        }
    }

    @Test func construction() {
        var random = SplitMix(seed: 4)
        for _ in 0..<200 {
            let (top, bottom) = (random.anyInt64(), random.anyInt64())
            guard bottom != 0 else { continue }
            let expected = Fraction(top: BigInteger(top), bottom: BigInteger(bottom))
            agree(expected, { try RationalTime(top, bottom) }, "\(top)/\(bottom)")
        }
    }

    /// The rounded count is the whole number that the rule names, checked by its distance and not by dividing again.
    @Test(arguments: Rounding.allCases) func counts(rounding: Rounding) throws {
        var random = SplitMix(seed: 5)
        let one = BigInteger(1)
        for _ in 0..<150 {
            let (time, unit) = (anyTime(&random), anyTime(&random))
            guard unit > .zero, let count = try? time.count(of: unit, rounding: rounding) else { continue }
            // time = count × unit + rest, over one denominator that is positive.
            let bottom = BigInteger(time.denominator) * BigInteger(unit.numerator)
            let rest = BigInteger(time.numerator) * BigInteger(unit.denominator) - BigInteger(count.value) * bottom
            #expect(count.isExact == rest.isZero)
            switch rounding {
            case .down: #expect(!rest.isNegative && rest < bottom)
            case .up: #expect(!(one * rest > BigInteger(0)) && -rest < bottom)
            case .halfAwayFromZero:
                let double = rest * BigInteger(2)
                #expect(double <= bottom && -double <= bottom, "\(time) of \(unit)")
                // Exactly half goes away from zero: what is left over points back to it.
                if double == bottom { #expect(count.value < 0 || time.isNegative) }
                if -double == bottom { #expect(count.value > 0) }
            }
        }
    }
}
