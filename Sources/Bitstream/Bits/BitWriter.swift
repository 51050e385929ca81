/// Writes bits, the most significant first, into bytes without emulation prevention.
package struct BitWriter: Sendable {
    /// The bytes that are complete.
    package private(set) var bytes: [UInt8] = []
    /// Bits behind ``bytes``, 0 … 7 of them, in the low places.
    package private(set) var pending: UInt8 = 0
    package private(set) var pendingCount = 0

    package init() {}

    /// The number of bits that were written.
    package var position: Int { bytes.count * 8 + pendingCount }
    package var isAligned: Bool { pendingCount == 0 }

    /// - Parameters:
    ///   - count: 0 … 56.
    ///   - value: of which the low `count` bits are written.
    package mutating func write(_ value: Int, bits count: Int) {
        var window = UInt64(pending) << UInt64(count) | UInt64(bitPattern: Int64(value)) & (1 << UInt64(count) - 1)
        var left = pendingCount + count
        while left >= 8 {
            left -= 8
            bytes.append(UInt8(truncatingIfNeeded: window >> UInt64(left)))
        }
        window &= 1 << UInt64(left) - 1
        pending = UInt8(truncatingIfNeeded: window)
        pendingCount = left
    }

    /// ue(v) of clause 9.1.
    /// - Parameter value: 0 … 2³² − 2.
    package mutating func writeExponentialGolomb(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(0, bits: length - 1)
        write(value + 1, bits: length)
    }

    /// Fills the last byte up.
    /// - Parameter bit: 0 or 1.
    package mutating func align(with bit: Int) {
        guard pendingCount > 0 else { return }
        let count = 8 - pendingCount
        write(bit == 0 ? 0 : 1 << count - 1, bits: count)
    }

    /// rbsp_trailing_bits(): a 1, then zeros up to the byte's end (7.3.2.11).
    package mutating func writeTrailingBits() {
        write(1, bits: 1)
        align(with: 0)
    }
}
