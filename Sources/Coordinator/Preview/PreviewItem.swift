import CompositionModel

/// Something that was made to be looked at, or played.
struct PreviewItem: Sendable, Hashable {
    /// What its maker says of it.
    enum Content: Sendable, Hashable {
        /// Its file says all.
        case plain
        /// The head of a track of this codec, by its name in RFC 6381.
        case track(codec: String)
        /// There is no file, because browsers do not play the track, with the reason as a sentence.
        case notPlayed(String)
    }

    /// Names the item among all: of equal keys the bytes are equal.
    let key: ContentDigest
    let content: Content
    /// The length of its file in bytes; 0 where there is none.
    let byteCount: Int64
}
