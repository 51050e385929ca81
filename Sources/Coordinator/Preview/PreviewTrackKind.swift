import Farm

/// A track of what can be played, by its name in addresses.
enum PreviewTrackKind: String, Sendable, Encodable {
    case picture, sound

    /// The media type of its head and its fragments.
    var type: String { self == .sound ? "audio/mp4" : "video/mp4" }

    /// The choice of its first accepted part.
    var first: AcceptedPart.Choice { self == .sound ? .firstSound : .firstPicture }
}

extension OutputLayout {
    /// The pieces of a track in order of time.
    func pieces(of track: PreviewTrackKind) -> [Piece] { track == .sound ? sounds : pictures }
}
