/// A decimal exactly as it was written: `mantissa / scale`.
package struct DecimalText {
    package let mantissa: Int128
    /// The denominator, a power of ten.
    package let scale: Int128

    /// Reads `-?digits(.digits)?`.
    /// - Returns: nil when `text` is not of that form.
    /// - Throws: ``TimeError/overflow`` when either part does not fit into `Int128`.
    package init?(_ text: Substring) throws(TimeError) {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return nil }
        var (mantissa, scale) = (Int128(0), Int128(1))
        for (index, part) in parts.enumerated() {
            guard !part.isEmpty, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            for digit in part.utf8 {
                mantissa = try DecimalText.appending(Int128(digit - 48), to: mantissa)
                if index == 1 { scale = try DecimalText.appending(0, to: scale) }
            }
        }
        self.mantissa = isNegative ? -mantissa : mantissa
        self.scale = scale
    }

    /// `number` with `digit` written after it: 10 × `number` + `digit`.
    /// - Throws: ``TimeError/overflow`` when the result does not fit into `Int128`.
    static func appending(_ digit: Int128, to number: Int128) throws(TimeError) -> Int128 {
        let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
        let (sum, overflowsToo) = tens.addingReportingOverflow(digit)
        guard !overflows, !overflowsToo else { throw .overflow }
        return sum
    }
}
