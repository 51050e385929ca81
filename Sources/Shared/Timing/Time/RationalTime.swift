/// A time in seconds as an exact fraction, always reduced, with a positive denominator.
///
/// All arithmetic is exact. A result that does not fit into `Int64` over `Int64` throws ``TimeError/overflow``; nothing
/// ever wraps.
package struct RationalTime: Sendable, Hashable {
    package let numerator: Int64
    /// The denominator in lowest terms; always above 0.
    package let denominator: Int64

    package static let zero = RationalTime(whole: 0)

    /// `seconds` whole seconds.
    package init(whole seconds: Int64) {
        numerator = seconds
        denominator = 1
    }

    /// `numerator / denominator` seconds, reduced.
    /// - Throws: ``TimeError/zeroDenominator``, or ``TimeError/overflow`` when the reduced fraction does not fit.
    package init(_ numerator: Int64, _ denominator: Int64) throws(TimeError) {
        try self.init(wide: Int128(numerator), over: Int128(denominator))
    }

    /// `numerator / denominator` seconds, reduced, from 128-bit parts.
    /// - Throws: ``TimeError/zeroDenominator``, or ``TimeError/overflow`` when the reduced fraction does not fit.
    package init(wide numerator: Int128, over denominator: Int128) throws(TimeError) {
        guard denominator != 0 else { throw .zeroDenominator }
        if let top = Int64(exactly: numerator), let bottom = Int64(exactly: denominator), bottom > 0 {
            // The most frequent case, in the machine's own arithmetic. The divisor is at most `bottom`, so it fits.
            let divisor = Int64(greatestCommonDivisor(top.magnitude, bottom.magnitude))
            (self.numerator, self.denominator) = (top / divisor, bottom / divisor)
            return
        }
        let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let sign: Int128 = denominator < 0 ? -1 : 1
        guard let top = Int64(exactly: sign * (numerator / Int128(divisor))),
            let bottom = Int64(exactly: sign * (denominator / Int128(divisor)))
        else { throw .overflow }
        self.numerator = top
        self.denominator = bottom
    }

    /// The time of `count` units, such as frames or samples.
    /// - Parameter unit: The length of one unit, in seconds.
    /// - Throws: ``TimeError/overflow`` when the product does not fit.
    package init(_ count: Int64, of unit: RationalTime) throws(TimeError) {
        try self.init(wide: Int128(count) * Int128(unit.numerator), over: Int128(unit.denominator))
    }

    package var isNegative: Bool { numerator < 0 }

    /// The nearest double, in seconds. It serves display and cost estimates only: no decision about a frame or a sample
    /// may rest on it.
    package var approximateSeconds: Double { Double(numerator) / Double(denominator) }

    /// The exact sum.
    /// - Throws: ``TimeError/overflow`` when it does not fit.
    package func adding(_ other: RationalTime) throws(TimeError) -> RationalTime {
        let left = Int128(numerator) * Int128(other.denominator)
        let right = Int128(other.numerator) * Int128(denominator)
        return try RationalTime(wide: left + right, over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact difference.
    /// - Throws: ``TimeError/overflow`` when it does not fit.
    package func subtracting(_ other: RationalTime) throws(TimeError) -> RationalTime {
        let left = Int128(numerator) * Int128(other.denominator)
        let right = Int128(other.numerator) * Int128(denominator)
        return try RationalTime(wide: left - right, over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact product.
    /// - Throws: ``TimeError/overflow`` when it does not fit.
    package func multiplied(by other: RationalTime) throws(TimeError) -> RationalTime {
        try RationalTime(
            wide: Int128(numerator) * Int128(other.numerator),
            over: Int128(denominator) * Int128(other.denominator)
        )
    }

    /// The exact quotient.
    /// - Throws: ``TimeError/zeroDenominator`` when `other` is zero, and ``TimeError/overflow`` when the quotient does
    ///   not fit.
    package func divided(by other: RationalTime) throws(TimeError) -> RationalTime {
        guard other.numerator != 0 else { throw .zeroDenominator }
        return try RationalTime(
            wide: Int128(numerator) * Int128(other.denominator),
            over: Int128(denominator) * Int128(other.numerator)
        )
    }

    /// The number of units of `unit` seconds in this time, rounded by `rounding`.
    /// - Returns: The count, and whether it needed no rounding.
    /// - Throws: ``TimeError/zeroDenominator`` when `unit` is zero, and ``TimeError/overflow`` when the count does not
    ///   fit.
    package func count(
        of unit: RationalTime,
        rounding: Rounding = .halfAwayFromZero
    ) throws(TimeError) -> (value: Int64, isExact: Bool) {
        guard unit.numerator != 0 else { throw .zeroDenominator }
        // Both products fit: |Int64| × |Int64| < 2^127.
        let top = Int128(numerator) * Int128(unit.denominator)
        let bottom = Int128(denominator) * Int128(unit.numerator)
        let (value, isExact) = rounding.divide(top, by: bottom)
        guard let narrow = Int64(exactly: value) else { throw .overflow }
        return (narrow, isExact)
    }
}

extension RationalTime: Comparable {
    package static func < (left: RationalTime, right: RationalTime) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension RationalTime: CustomStringConvertible {
    /// The fraction, such as `"1001/30000"`; whole seconds have no denominator: `"5"`.
    package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension RationalTime: Codable {
    /// Encodes the time as `"n/d"`, always with both parts, so that equal times have equal text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(numerator)/\(denominator)")
    }

    /// Decodes `"n/d"`; the fraction need not be reduced.
    /// - Throws: `DecodingError` when the text is no fraction, its denominator is 0 or the reduced fraction does not
    ///   fit.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let top = Int64(parts[0]), let bottom = Int64(parts[1]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no fraction n/d")
        }
        do {
            self = try RationalTime(top, bottom)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no time: \(error)")
        }
    }
}

/// The greatest common divisor by Euclid's algorithm. `greatestCommonDivisor(0, 0)` is 1, so that the result can always
/// be a divisor.
func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
    var (larger, smaller) = (first, second)
    while smaller != 0 {
        if let larger = UInt64(exactly: larger), let smaller = UInt64(exactly: smaller) {
            return UInt128(greatestCommonDivisor(larger, smaller))
        }
        (larger, smaller) = (smaller, larger % smaller)
    }
    return max(larger, 1)
}

/// The same for numbers that a register holds, whose division is many times faster.
func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return max(larger, 1)
}
