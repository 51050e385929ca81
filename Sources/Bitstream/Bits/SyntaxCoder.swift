/// Reads a syntax structure from bits or writes it, by one description of it: each structure names its elements once, in
/// the order of the standard's syntax table, and gives the place where each value is kept.
///
/// While reading, the places are filled; while writing, they are read. Both check each value's range, so nothing is
/// written that could not be read again.
package struct SyntaxCoder: Sendable {
    package let isReading: Bool
    private var reader: BitReader
    private(set) var writer = BitWriter()
    /// Every element so far; nil when nobody asked for them.
    package private(set) var trace: [SyntaxElement]?

    /// - Parameters:
    ///   - rbsp: bytes without emulation prevention.
    ///   - isTraced: whether ``trace`` is kept.
    package init(reading rbsp: [UInt8], isTraced: Bool = false) {
        isReading = true
        reader = BitReader(rbsp)
        trace = isTraced ? [] : nil
    }

    package static func writing() -> SyntaxCoder { SyntaxCoder() }

    private init() {
        isReading = false
        reader = BitReader([])
        trace = nil
    }

    /// Bits that were read or written.
    package var position: Int { isReading ? reader.position : writer.position }
    package var isAligned: Bool { position & 7 == 0 }
    /// Bits that are left to read.
    package var remaining: Int { reader.end - reader.position }
    /// Whether anything stands before the trailing bits, while reading.
    var hasMoreData: Bool { reader.hasMoreData }
    /// The position of the last bit that is 1, while reading.
    var lastSetBit: Int? { reader.lastSetBit }

    package func error(_ reason: BitstreamError.Reason, _ name: StaticString) -> BitstreamError {
        BitstreamError(reason, element: "\(name)", bit: position)
    }

    private mutating func note(_ name: StaticString, _ value: Int, from start: Int) {
        guard trace != nil else { return }
        let length = position - start
        trace?.append(SyntaxElement(position: start, name: "\(name)", value: value, length: length))
    }

    private func check(
        _ value: Int,
        _ range: ClosedRange<Int>,
        _ name: StaticString,
        at bit: Int
    ) throws(BitstreamError) {
        guard range.contains(value) else {
            throw BitstreamError(.outOfRange(value), element: "\(name)", bit: bit)
        }
    }

    /// u(n).
    /// - Parameters:
    ///   - count: bits, 0 … 32.
    ///   - plus: what the place holds more than the bits say.
    ///   - range: of the bits' value; any when nil.
    package mutating func u(
        _ count: Int,
        _ value: inout Int,
        plus: Int = 0,
        _ name: StaticString,
        in range: ClosedRange<Int>? = nil
    ) throws(BitstreamError) {
        let start = position
        let all = 0...(1 << count - 1)
        if isReading {
            guard let coded = reader.bits(count) else { throw error(.truncated, name) }
            try check(coded, range ?? all, name, at: start)
            value = coded + plus
        } else {
            let (coded, overflows) = value.subtractingReportingOverflow(plus)
            guard !overflows else { throw error(.outOfRange(value), name) }
            try check(coded, all, name, at: start)
            try check(coded, range ?? all, name, at: start)
            writer.write(coded, bits: count)
        }
        note(name, value - plus, from: start)
    }

    /// i(n), two's complement.
    /// - Parameter count: bits, 1 … 32.
    package mutating func i(_ count: Int, _ value: inout Int, _ name: StaticString) throws(BitstreamError) {
        let start = position
        if isReading {
            guard let coded = reader.bits(count) else { throw error(.truncated, name) }
            value = coded >= 1 << (count - 1) ? coded - 1 << count : coded
        } else {
            try check(value, -(1 << (count - 1))...(1 << (count - 1) - 1), name, at: start)
            writer.write(value, bits: count)
        }
        note(name, value, from: start)
    }

    /// u(1).
    package mutating func flag(_ value: inout Bool, _ name: StaticString) throws(BitstreamError) {
        var bit = value ? 1 : 0
        try u(1, &bit, name)
        value = bit == 1
    }

    /// u(n) with the one value that is allowed.
    package mutating func fixed(_ count: Int, _ value: Int, _ name: StaticString) throws(BitstreamError) {
        var coded = value
        try u(count, &coded, name, in: value...value)
    }

    /// ue(v) of clause 9.1.
    /// - Parameters:
    ///   - plus: what the place holds more than the bits say.
    ///   - range: of what the bits say; within 0 … 2³² − 2.
    package mutating func ue(
        _ value: inout Int,
        plus: Int = 0,
        _ name: StaticString,
        in range: ClosedRange<Int>
    ) throws(BitstreamError) {
        let start = position
        if isReading {
            guard let coded = reader.exponentialGolomb() else { throw error(.truncated, name) }
            try check(coded, range, name, at: start)
            value = coded + plus
        } else {
            let (coded, overflows) = value.subtractingReportingOverflow(plus)
            guard !overflows else { throw error(.outOfRange(value), name) }
            try check(coded, range, name, at: start)
            writer.writeExponentialGolomb(coded)
        }
        note(name, value - plus, from: start)
    }

    /// se(v) of clause 9.1.1.
    /// - Parameters:
    ///   - plus: what the place holds more than the bits say.
    ///   - range: of what the bits say; within −(2³¹ − 1) … 2³¹ − 1.
    package mutating func se(
        _ value: inout Int,
        plus: Int = 0,
        _ name: StaticString,
        in range: ClosedRange<Int>
    ) throws(BitstreamError) {
        let start = position
        if isReading {
            guard let code = reader.exponentialGolomb() else { throw error(.truncated, name) }
            let coded = code & 1 == 1 ? (code + 1) >> 1 : -(code >> 1)
            try check(coded, range, name, at: start)
            value = coded + plus
        } else {
            let (coded, overflows) = value.subtractingReportingOverflow(plus)
            guard !overflows else { throw error(.outOfRange(value), name) }
            try check(coded, range, name, at: start)
            writer.writeExponentialGolomb(coded > 0 ? 2 * coded - 1 : -2 * coded)
        }
        note(name, value - plus, from: start)
    }
}
