/// The rules that turn an exact quotient into a whole number.
package enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// Round to the nearest whole number; exactly half goes away from zero. All timeline positions use this rule
    /// (docs/time.md).
    case halfAwayFromZero
    /// Round toward negative infinity.
    case down
    /// Round toward positive infinity.
    case up

    /// The quotient rounded by this rule, and whether it needed no rounding.
    /// - Precondition: `divisor` is not 0.
    package func divide(_ dividend: Int128, by divisor: Int128) -> (value: Int128, isExact: Bool) {
        let (quotient, remainder) = Rounding.quotient(of: dividend, by: divisor)
        guard remainder != 0 else { return (quotient, true) }
        let isNegative = (remainder < 0) != (divisor < 0)
        switch self {
        case .down: return (isNegative ? quotient - 1 : quotient, false)
        case .up: return (isNegative ? quotient : quotient + 1, false)
        case .halfAwayFromZero:
            // This is remainder ≥ divisor − remainder: doubling the remainder could overflow.
            let reachesHalf = remainder.magnitude >= divisor.magnitude - remainder.magnitude
            guard reachesHalf else { return (quotient, false) }
            return (isNegative ? quotient - 1 : quotient + 1, false)
        }
    }

    /// The quotient rounded toward zero and what remains, in the machine's own arithmetic where the numbers fit.
    private static func quotient(of dividend: Int128, by divisor: Int128) -> (Int128, Int128) {
        guard let top = Int64(exactly: dividend), let bottom = Int64(exactly: divisor), bottom != -1 else {
            return dividend.quotientAndRemainder(dividingBy: divisor)
        }
        let (quotient, remainder) = top.quotientAndRemainder(dividingBy: bottom)
        return (Int128(quotient), Int128(remainder))
    }
}
