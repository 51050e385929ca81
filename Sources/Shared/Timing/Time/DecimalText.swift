/// A decimal as it was written, exactly unless places are left out: `mantissa / scale`.
package struct DecimalText {
    package let mantissa: Int128
    /// The denominator, a power of ten.
    package let scale: Int128

    /// Reads `-?digits(.digits)?`.
    /// - Parameter places: the number of decimal places that count; digits beyond them are left out, towards zero. None
    ///   counts where it is negative.
    /// - Returns: nil when `text` is not of that form.
    /// - Throws: ``TimeError/overflow`` when either part does not fit into `Int128`.
    package init?(_ text: Substring, places: Int = .max) throws(TimeError) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let bytes = text.utf8.dropFirst(isNegative ? 1 : 0)
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        let fraction = bytes[point...].dropFirst()
        guard point > bytes.startIndex, point == bytes.endIndex || !fraction.isEmpty else { return nil }
        guard !fraction.contains(UInt8(ascii: ".")) else { return nil }
        var (mantissa, scale) = (Int128(0), Int128(1))
        for (part, isFraction) in [(bytes[..<point], false), (fraction, true)] {
            guard part.allSatisfy({ (48...57).contains($0) }) else { return nil }
            for (place, digit) in part.enumerated() where !isFraction || place < places {
                mantissa = try DecimalText.appending(Int128(digit - 48), to: mantissa)
                if isFraction { scale = try DecimalText.appending(0, to: scale) }
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
