/// A number that is no time (a volume, decibels, degrees): a decimal in whole millionths.
public struct FixedDecimal: Sendable, Hashable {
    public let millionths: Int64

    public init(millionths: Int64) {
        self.millionths = millionths
    }

    /// Reads a decimal with JSON's grammar of numbers (`-0.25`, `2`, `1.5e-3`). What lies beyond the sixth place is
    /// rounded, half away from zero: printed floating-point numbers have more places than they mean.
    /// - Returns: nil when `text` is no such decimal.
    /// - Throws: ``TimeError/overflow`` when the millionths do not fit into `Int64`.
    public init?(_ text: some StringProtocol) throws(TimeError) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let first = parts.first, parts.count <= 2, let decimal = try DecimalText(Substring(first)) else {
            return nil
        }
        var exponent = 0
        if parts.count == 2 {
            guard let power = FixedDecimal.exponent(Substring(parts[1])) else { return nil }
            exponent = power
        }
        millionths = try FixedDecimal.millionths(of: decimal, exponent: exponent)
    }

    private static func exponent(_ text: Substring) -> Int? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // Far beyond what any Int64 holds, whatever the sign.
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
            // The quotient would be below a tenth: nothing. Else it has more digits than can be held here.
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
    /// As ``init(_:)``, also with a plus before it, as people write levels.
    /// - Returns: nil also for what does not fit.
    package init?(signed text: some StringProtocol) {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard digits.count == text.count || digits.first?.isNumber == true, let number = try? FixedDecimal(digits)
        else { return nil }
        self = number
    }
}

extension FixedDecimal: CustomStringConvertible {
    /// `-0.25`: no more places than needed.
    public var description: String {
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        var places = String(String(1_000_000 + rest).dropFirst())
        while places.hasSuffix("0") { places.removeLast() }
        return "\(sign)\(whole).\(places)"
    }
}
