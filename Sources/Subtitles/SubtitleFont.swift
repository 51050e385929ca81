/// A font that subtitles are drawn with.
public struct SubtitleFont: Sendable {
    /// TrueType or OpenType with one face, which is found by the family's name in it.
    public let bytes: [UInt8]
    /// Whether it has a character.
    public let covers: @Sendable (Unicode.Scalar) -> Bool

    public init(bytes: [UInt8], covers: @escaping @Sendable (Unicode.Scalar) -> Bool) {
        self.bytes = bytes
        self.covers = covers
    }
}
