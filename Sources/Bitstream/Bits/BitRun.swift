/// Bits that are carried without being understood, such as those of a later edition's extension.
package struct BitRun: Hashable, Sendable {
    /// The bits, the first as the most significant of the first byte; the last byte is filled up with zeros.
    package var bytes: [UInt8] = []
    /// The number of bits.
    package var count = 0

    package init() {}

    mutating func append(_ bit: Int) {
        if count & 7 == 0 { bytes.append(0) }
        if bit != 0 { bytes[count >> 3] |= 0x80 >> UInt8(count & 7) }
        count += 1
    }

    subscript(_ index: Int) -> Int { Int(bytes[index >> 3] >> UInt8(7 - index & 7) & 1) }
}
