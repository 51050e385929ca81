/// The named ways from an exact quotient to a whole number.
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// To the nearest; exactly half goes away from zero. The rule of all timeline positions (docs/time.md).
    case halfAwayFromZero
    /// Toward negative infinity.
    case down
    /// Toward positive infinity.
    case up

    /// - Precondition: `divisor` is not 0.
    package func divide(_ dividend: Int128, by divisor: Int128) -> (value: Int128, isExact: Bool) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard remainder != 0 else { return (quotient, true) }
        let isNegative = (remainder < 0) != (divisor < 0)
        switch self {
        case .down: return (isNegative ? quotient - 1 : quotient, false)
        case .up: return (isNegative ? quotient : quotient + 1, false)
        case .halfAwayFromZero:
            // remainder ≥ divisor − remainder, written so that nothing is doubled and overflows.
            let reachesHalf = remainder.magnitude >= divisor.magnitude - remainder.magnitude
            guard reachesHalf else { return (quotient, false) }
            return (isNegative ? quotient - 1 : quotient + 1, false)
        }
    }
}
