/// Reads bits, the most significant first, from bytes without emulation prevention (ITU-T H.264, 7.2).
package struct BitReader: Sendable {
    private let bytes: [UInt8]
    /// The next bit to be read.
    package private(set) var position = 0
    /// One past the last bit.
    package let end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count * 8
    }

    /// The next bits as an unsigned number; nil, and nothing is read, when fewer are left.
    /// - Parameter count: 0 … 57.
    @inline(__always)
    package mutating func bits(_ count: Int) -> Int? {
        guard count <= end - position else { return nil }
        guard count > 0 else { return 0 }
        let first = position >> 3
        let last = (position + count - 1) >> 3
        var window: UInt64 = 0
        for index in first...last { window = window << 8 | UInt64(bytes[index]) }
        position += count
        let behind = UInt64((last + 1) * 8 - position)
        return Int(window >> behind & (1 << UInt64(count) - 1))
    }

    /// The next bits, which stay unread; zeros behind the end.
    /// - Parameter count: 0 … 57.
    @inline(__always)
    package func peek(_ count: Int) -> Int {
        let first = position >> 3
        var window: UInt64 = 0
        if first + 8 <= bytes.count {
            window = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: first, as: UInt64.self).bigEndian }
        } else {
            for index in first..<first + 8 { window = window << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        }
        return Int((window << UInt64(position & 7)) >> UInt64(64 - count))
    }

    /// Passes over bits.
    /// - Returns: whether so many are left; if not, none is passed over.
    @inline(__always)
    package mutating func skip(_ count: Int) -> Bool {
        guard 0...end - position ~= count else { return false }
        position += count
        return true
    }

    /// An unsigned Exp-Golomb number, ue(v) of clause 9.1: 0 … 2³² − 2. Nil, at an unchanged position, when the data end
    /// or more than 31 zeros lead.
    package mutating func exponentialGolomb() -> Int? {
        let start = position
        var zeros = 0
        while let bit = bits(1), bit == 0 {
            zeros += 1
            guard zeros < 32 else {
                position = start
                return nil
            }
        }
        guard position > start + zeros, let rest = bits(zeros) else {
            position = start
            return nil
        }
        return 1 << zeros - 1 + rest
    }

    /// Whether anything stands before the trailing bits: more_rbsp_data() of clause 7.2.
    package var hasMoreData: Bool {
        guard let stop = lastSetBit else { return false }
        return position < stop
    }

    /// The position of the last bit that is 1: rbsp_stop_one_bit. Nil when all that is left is 0.
    package var lastSetBit: Int? {
        var index = bytes.count - 1
        while index >= 0, index >= position >> 3 {
            if bytes[index] != 0 { return index * 8 + 7 - bytes[index].trailingZeroBitCount }
            index -= 1
        }
        return nil
    }

    package var isAligned: Bool { position & 7 == 0 }
}
