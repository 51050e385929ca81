/// The addresses that begin with the same bits.
package struct AddressBlock: Sendable, Hashable {
    /// An address of the block.
    package let first: NetworkAddress
    /// The number of bits that all have in common.
    package let bitCount: Int

    /// The block that `text` writes, such as `10.0.0.0/8`, or the single address; nil for any other text.
    package init?(_ text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = halves.first.flatMap({ NetworkAddress($0) }), halves.count <= 2 else { return nil }
        let most = address.bytes.count * 8
        guard let count = halves.count == 2 ? Int(halves[1]) : most, (0...most).contains(count) else { return nil }
        (first, bitCount) = (address, count)
    }

    /// Whether the block holds an address, of the same version of the protocol.
    package func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        return (0..<bitCount).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            let difference: UInt8 = address.bytes[bit / 8] ^ first.bytes[bit / 8]
            return difference & mask == 0
        }
    }
}
