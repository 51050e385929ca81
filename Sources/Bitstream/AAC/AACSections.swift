/// The codebook of each band of a channel with which the channel takes the fewest bits (section_data() of ISO/IEC 14496-3,
/// 4.4.2.7).
struct AACSections {
    /// For each band the number of its code, 1 … 11, or 0 where all coefficients are 0.
    let codebooks: [Int]

    /// The bits of a section without the coefficients: the codebook and the number of its bands.
    private static let sectionBits = 9
    /// More bits than a channel may have: a code that cannot express a band.
    private static let unfit = 1 << 20

    /// - Parameter offsets: the first coefficient of each band and, last, one past all.
    init(_ coefficients: [Int], _ offsets: [Int]) {
        // Each code has the fewest bits up to a band that has it, and the code of the band before.
        var totals = [Int](repeating: 0, count: 12)
        var ways: [[Int]] = []
        for (start, end) in zip(offsets, offsets.dropFirst()) {
            let bits = Self.bits(coefficients[start..<end])
            let best = totals.indices.min { totals[$0] < totals[$1] } ?? 0
            let change = totals[best] + (ways.isEmpty ? 0 : Self.sectionBits)
            ways.append(totals.indices.map { totals[$0] <= change ? $0 : best })
            totals = totals.indices.map { min(totals[$0], change) + bits[$0] }
        }
        var book = totals.indices.min { totals[$0] < totals[$1] } ?? 0
        codebooks = ways.reversed().map { before in
            defer { book = before[book] }
            return book
        }.reversed()
    }

    /// The bits of a band's coefficients with each code.
    private static func bits(_ values: ArraySlice<Int>) -> [Int] {
        let largest = values.reduce(0) { max($0, abs($1)) }
        let isSilent = largest == 0
        return [isSilent ? 0 : unfit]
            + AACSpectrumCode.all.map { code in
                code.largest < largest && code.largest < 16 ? unfit : code.bits(values) ?? unfit
            }
    }

    /// Writes section_data() of a long window.
    func write(to writer: inout BitWriter) {
        var start = 0
        while start < codebooks.count {
            let end = codebooks[start...].firstIndex { $0 != codebooks[start] } ?? codebooks.count
            writer.write(codebooks[start], bits: 4)
            for _ in 0..<(end - start) / 31 { writer.write(31, bits: 5) }
            writer.write((end - start) % 31, bits: 5)
            start = end
        }
    }
}

extension AACSpectrumCode {
    /// The bits of coefficients with their signs and escape sequences; nil where the code cannot express them.
    fileprivate func bits(_ values: ArraySlice<Int>) -> Int? {
        var count = 0
        for place in stride(from: values.startIndex, to: values.endIndex, by: dimension) {
            let own = values[place..<place + dimension]
            guard let length = codeword(own)?.length else { return nil }
            count += length
            if !isSigned { for value in own where value != 0 { count += 1 } }
            if largest == 16 { for value in own where abs(value) >= 16 { count += 2 * Self.extraBits(value) - 3 } }
        }
        return count
    }

    /// The bits of a magnitude of 16 or more without its first.
    private static func extraBits(_ value: Int) -> Int { Int.bitWidth - 1 - abs(value).leadingZeroBitCount }

    /// Writes coefficients with their signs and escape sequences.
    /// - Returns: whether the code can express them.
    func write(_ values: ArraySlice<Int>, to writer: inout BitWriter) -> Bool {
        for place in stride(from: values.startIndex, to: values.endIndex, by: dimension) {
            let own = values[place..<place + dimension]
            guard own.allSatisfy({ abs($0) <= (largest == 16 ? AACPacketWriter.largest : largest) }),
                let (word, length) = codeword(own)
            else { return false }
            writer.write(word, bits: length)
            if !isSigned { for value in own where value != 0 { writer.write(value < 0 ? 1 : 0, bits: 1) } }
            if largest == 16 { for value in own where abs(value) >= 16 { Self.writeEscape(value, to: &writer) } }
        }
        return true
    }

    /// hcod_esc: as many ones as the number has bits beyond 4, a zero, and its bits without the first.
    private static func writeEscape(_ value: Int, to writer: inout BitWriter) {
        let bits = extraBits(value)
        for _ in 4..<bits { writer.write(1, bits: 1) }
        writer.write(0, bits: 1)
        writer.write(abs(value), bits: bits)
    }
}
