/// A font that subtitles are drawn with.
package struct SubtitleFont: Sendable {
    /// TrueType or OpenType with one face, which is found by the family's name in it.
    package let bytes: [UInt8]
    /// Whether it has a character.
    package let covers: @Sendable (Unicode.Scalar) -> Bool

    package init(bytes: [UInt8], covers: @escaping @Sendable (Unicode.Scalar) -> Bool) {
        self.bytes = bytes
        self.covers = covers
    }
}
