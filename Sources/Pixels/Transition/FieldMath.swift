/// Elementary functions for the geometry of transitions, made of + − × ÷ √ only: the same bits on every CPU.
/// Errors are below 1e-11, far under the 1/65535 to which fields are rounded.
enum FieldMath {
    /// The angle of (x, y) in turns, −1/2 … 1/2: 0 along x, rising towards y. (0, 0) has the angle 0.
    static func turns(x: Double, y: Double) -> Double {
        let (longer, shorter) = abs(x) >= abs(y) ? (abs(x), abs(y)) : (abs(y), abs(x))
        guard longer > 0 else { return 0 }
        let octant = arcTangent(shorter / longer) / (2 * .pi)
        let quarter = abs(x) >= abs(y) ? octant : 0.25 - octant
        let half = x < 0 ? 0.5 - quarter : quarter
        return y < 0 ? -half : half
    }

    /// The arc tangent for 0 ≤ `slope` ≤ 1: the angle is halved twice, then its series ends below 1e-13.
    private static func arcTangent(_ slope: Double) -> Double {
        let once = slope / (1 + (1 + slope * slope).squareRoot())
        let twice = once / (1 + (1 + once * once).squareRoot())
        let square = twice * twice
        var sum = 0.0
        var k = 17.0
        while k > 0 {
            sum = 1 / k - square * sum
            k -= 2
        }
        return 4 * twice * sum
    }

    /// sin of an angle in radians.
    static func sine(_ radians: Double) -> Double {
        let halfTurns = (radians / .pi).rounded()
        // π in two parts, so that what is taken away from a large angle keeps its digits.
        let rest = (radians - halfTurns * 3.141592653589793) - halfTurns * 1.2246467991473532e-16
        let square = rest * rest
        var sum = 1.0
        var k = 20.0
        while k > 0 {
            sum = 1 - square / (k * (k + 1)) * sum
            k -= 2
        }
        let isOdd = halfTurns.remainder(dividingBy: 2) != 0
        return isOdd ? -rest * sum : rest * sum
    }

    /// The natural logarithm of `x` > 0.
    static func logarithm(_ x: Double) -> Double {
        // x = 2^e × m with m in 1 ..< 2; ln m = 2 artanh((m − 1) / (m + 1)).
        let ratio = (x.significand - 1) / (x.significand + 1)
        let square = ratio * ratio
        var sum = 0.0
        var k = 25.0
        while k > 0 {
            sum = 1 / k + square * sum
            k -= 2
        }
        return Double(x.exponent) * 0.6931471805599453 + 2 * ratio * sum
    }

    /// `base` to the power `exponent`, for 0 ≤ `base` ≤ 1 and 1 ≤ `exponent` ≤ 4.
    static func power(_ base: Double, _ exponent: Double) -> Double {
        guard base > 1e-30 else { return 0 }
        let whole = exponent * logarithm(base)
        let halvings = (whole / 0.6931471805599453).rounded()
        let rest = whole - halvings * 0.6931471805599453
        var sum = 1.0
        var k = 15.0
        while k > 0 {
            sum = 1 + rest / k * sum
            k -= 1
        }
        return sum * Double(sign: .plus, exponent: Int(halvings), significand: 1)
    }

    /// 0 up to `start`, 1 from `end` on, 3u² − 2u³ between them. `start` may lie above `end`.
    static func smoothStep(_ start: Double, _ end: Double, _ x: Double) -> Double {
        let u = min(max((x - start) / (end - start), 0), 1)
        return u * u * (3 - 2 * u)
    }

    /// The distance of a point from (0, 0).
    static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
