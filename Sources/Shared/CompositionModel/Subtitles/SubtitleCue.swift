/// A cue of a SubRip or WebVTT file.
public struct SubtitleCue: Sendable, Hashable {
    /// Milliseconds of the file; shown in [start, end).
    public var start: Int64
    public var end: Int64
    /// As the text of an ASS event: `\N` between lines, override blocks for the file's tags.
    public var text: String
    /// Nil stands where the style says.
    public var place: CuePlace?
    /// Of its times, from 1.
    public var line: Int
}

/// Where a WebVTT cue stands (WebVTT §3.4), in millionths of the frame's width and height.
public struct CuePlace: Sendable, Hashable {
    public enum Side: Sendable, Hashable {
        case left, center, right
    }

    public enum Line: Sendable, Hashable {
        /// Of its top.
        case height(Int64)
        /// Lines from above, or from -1 on from below.
        case number(Int)
    }

    /// How its lines lie.
    public var side = Side.center
    /// The room that it has.
    public var left: Int64 = 0
    public var right: Int64 = 1_000_000
    /// Nil is the bottom.
    public var line: Line?
}
