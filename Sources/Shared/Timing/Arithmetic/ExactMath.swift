/// Elementary functions made of + − × ÷ √ only, which IEEE 754 rounds the same on every CPU.
///
/// libm's functions differ in the last bit between CPUs, so none of them may decide a sample or a pixel. The relative
/// error is below 1e-15 wherever the result is not close to a zero of the function.
///
/// The code does not use `stride` over floating-point numbers: the standard library computes its steps with libm's
/// `fma`, which is slow on processors without that instruction or where it is masked.
package enum ExactMath {
    /// sin(π·x) for any finite x, exact at multiples of 1/2: the argument is reduced without rounding.
    package static func sinPi(_ x: Double) -> Double {
        let (quadrant, rest) = reduce(x)
        switch quadrant {
        case 0: return sine(ofQuarter: rest)
        case 1: return cosine(ofQuarter: rest)
        case 2: return -sine(ofQuarter: rest)
        default: return -cosine(ofQuarter: rest)
        }
    }

    /// cos(π·x) for any finite x, exact at multiples of 1/2.
    package static func cosPi(_ x: Double) -> Double {
        let (quadrant, rest) = reduce(x)
        switch quadrant {
        case 0: return cosine(ofQuarter: rest)
        case 1: return -sine(ofQuarter: rest)
        case 2: return -cosine(ofQuarter: rest)
        default: return sine(ofQuarter: rest)
        }
    }

    /// sin(π·x) / (π·x), and 1 at x = 0.
    package static func sincPi(_ x: Double) -> Double { x == 0 ? 1 : sinPi(x) / (.pi * x) }

    /// 2^x; 0 below the smallest normal number and infinity above the largest.
    package static func exp2(_ x: Double) -> Double {
        let whole = x.rounded()
        return scaled(exponential((x - whole) * ln2), by: whole)
    }

    /// The logarithm of `x` to base 2; minus infinity for 0 and less. The logarithm of the significand is the series of
    /// the inverse hyperbolic tangent.
    package static func log2(_ x: Double) -> Double {
        guard x > 0 else { return -.infinity }
        guard x.isFinite else { return x }
        var (exponent, part) = (Double(x.exponent), x.significand)
        if part > 1.4142135623730951 { (exponent, part) = (exponent + 1, part / 2) }
        let ratio = (part - 1) / (part + 1)
        var sum = 0.0
        var k = 25.0
        while k > 0 {
            sum = sum * ratio * ratio + 1 / k
            k -= 2
        }
        return exponent + 2 * ratio * sum / ln2
    }

    /// `base` to the power of `exponent`; 0 when `base` is 0 or negative.
    package static func power(_ base: Double, _ exponent: Double) -> Double {
        base > 0 ? exp2(log2(base) * exponent) : 0
    }

    /// The factor of amplitude of `decibels`: 10^(decibels / 20).
    ///
    /// 20·log10(2) is split into a high part of 36 bits and a low part, so that subtracting whole doublings is exact
    /// (Cody and Waite).
    package static func gain(decibels: Double) -> Double {
        let doublings = (decibels / doublingHigh).rounded()
        let rest = (decibels - doublings * doublingHigh) - doublings * doublingLow
        return scaled(exponential(rest * ln10Over20), by: doublings)
    }

    /// The modified Bessel function of the first kind, order 0, by its power series Σ ((x/2)^k / k!)², whose terms are
    /// all positive. It is meant for |x| ≤ 30.
    package static func besselI0(_ x: Double) -> Double {
        let quarter = x * x / 4
        var (term, sum, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-18 {
            term *= quarter / (k * k)
            sum += term
            k += 1
        }
        return sum
    }

    private static let ln2 = 0.693147180559945309417232121458176568
    private static let ln10Over20 = 0.115129254649702284200899572734218210
    private static let doublingHigh = 6.020599913201295
    private static let doublingLow = 7.832906489260626e-11

    /// Splits x into quadrant/2 + rest modulo 2 with |rest| ≤ 1/4; all three steps are exact.
    private static func reduce(_ x: Double) -> (quadrant: Int, rest: Double) {
        let turn = x - 2 * (x / 2).rounded()
        let quadrant = (2 * turn).rounded()
        return (Int(quadrant) & 3, turn - quadrant / 2)
    }

    /// sin(π·quarter) by its Taylor series in Horner's form: for an argument of at most π/4 the omitted terms are below
    /// 1e-19.
    private static func sine(ofQuarter quarter: Double) -> Double {
        let x = .pi * quarter
        var sum = 1.0
        var k = 18.0
        while k > 0 {
            sum = 1 - x * x / (k * (k + 1)) * sum
            k -= 2
        }
        return x * sum
    }

    private static func cosine(ofQuarter quarter: Double) -> Double {
        let x = .pi * quarter
        var sum = 1.0
        var k = 17.0
        while k > 0 {
            sum = 1 - x * x / (k * (k + 1)) * sum
            k -= 2
        }
        return sum
    }

    /// e^x for |x| ≤ 0.35 by its Taylor series in Horner's form. `Sources/CVectors` repeats it in the same order of
    /// operations.
    private static func exponential(_ x: Double) -> Double {
        var sum = inverseFactorials[15]
        for k in 1...15 { sum = sum * x + inverseFactorials[15 - k] }
        return sum
    }

    /// The values 1/k! for k from 0 to 15.
    private static let inverseFactorials: [Double] = [
        1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333, 0.001388888888888889,
        0.0001984126984126984, 2.48015873015873e-05, 2.7557319223985893e-06, 2.755731922398589e-07,
        2.505210838544172e-08, 2.08767569878681e-09, 1.6059043836821613e-10, 1.1470745597729725e-11,
        7.647163731819816e-13,
    ]

    private static func scaled(_ value: Double, by exponent: Double) -> Double {
        if exponent < -1022 { return 0 }
        if exponent > 1022 { return .infinity }
        return value * Double(sign: .plus, exponent: Int(exponent), significand: 1)
    }
}
