/// One element of a syntax structure as it stands in the bytes.
package struct SyntaxElement: Hashable, Sendable {
    /// Where the first bit stands: bits from the first of the NAL unit, not counting emulation prevention bytes.
    package var position: Int
    /// The element's name in the standard, without indices.
    package var name: String
    package var value: Int
    /// The number of bits that the element takes.
    package var length: Int

    package init(position: Int, name: String, value: Int, length: Int) {
        self.position = position
        self.name = name
        self.value = value
        self.length = length
    }
}
