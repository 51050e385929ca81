/// One element of a syntax structure as it stands in the bytes.
package struct SyntaxElement: Hashable, Sendable {
    /// Of its first bit, from the first of the NAL unit, without emulation prevention bytes.
    package var position: Int
    /// As the standard names it, without indices.
    package var name: String
    package var value: Int
    /// Bits that it takes.
    package var length: Int

    package init(position: Int, name: String, value: Int, length: Int) {
        self.position = position
        self.name = name
        self.value = value
        self.length = length
    }
}
