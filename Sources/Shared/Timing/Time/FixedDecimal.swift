/// A decimal for numbers that are no times, such as volumes, decibels and degrees. It is exact in whole millionths.
package struct FixedDecimal: Sendable, Hashable {
    /// The value times 1 000 000.
    package let millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }

    /// Reads a decimal with JSON's grammar of numbers (`-0.25`, `2`, `1.5e-3`). Digits beyond the sixth decimal place
    /// are rounded, half away from zero: printed floating-point numbers have more digits than they mean.
    /// - Returns: nil when `text` is no such decimal.
    /// - Throws: ``TimeError/overflow`` when the millionths do not fit into `Int64`.
    package init?(_ text: some StringProtocol) throws(TimeError) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let first = parts.first, parts.count <= 2 else { return nil }
        var exponent = 0
        if parts.count == 2 {
            guard let power = FixedDecimal.exponent(Substring(parts[1])) else { return nil }
            exponent = power
        }
        // Half away from zero is decided by the seventh place.
        guard let decimal = try DecimalText(Substring(first), places: exponent + 7) else { return nil }
        millionths = try FixedDecimal.millionths(of: decimal, exponent: exponent)
    }

    private static func exponent(_ text: Substring) -> Int? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // An exponent of 1000 already exceeds any Int64, whatever its sign.
        let size = min(Int(digits) ?? 1000, 1000)
        return text.hasPrefix("-") ? -size : size
    }

    private static func millionths(of decimal: DecimalText, exponent: Int) throws(TimeError) -> Int64 {
        var (top, bottom) = (decimal.mantissa, decimal.scale)
        guard top != 0 else { return 0 }
        for _ in 0..<max(exponent + 6, 0) { top = try DecimalText.appending(0, to: top) }
        for _ in 0..<max(-exponent - 6, 0) {
            let (tens, overflows) = bottom.multipliedReportingOverflow(by: 10)
            guard overflows else {
                bottom = tens
                continue
            }
            // The quotient is below a tenth and rounds to 0; a larger one has more digits than can be held here.
            guard top.magnitude < bottom.magnitude else { throw .overflow }
            return 0
        }
        guard let value = Int64(exactly: Rounding.halfAwayFromZero.divide(top, by: bottom).value) else {
            throw .overflow
        }
        return value
    }
}

extension FixedDecimal {
    /// Reads a decimal as ``init(_:)`` does, and accepts a leading plus sign, as people write levels.
    /// - Returns: nil when `text` is no such decimal, or its millionths do not fit into `Int64`.
    package init?(signed text: some StringProtocol) {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard digits.count == text.count || digits.first?.isNumber == true, let number = try? FixedDecimal(digits)
        else { return nil }
        self = number
    }
}

extension FixedDecimal: CustomStringConvertible {
    /// The decimal with no more places than needed, such as `-0.25`.
    package var description: String {
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        var places = String(String(1_000_000 + rest).dropFirst())
        while places.hasSuffix("0") { places.removeLast() }
        return "\(sign)\(whole).\(places)"
    }
}
