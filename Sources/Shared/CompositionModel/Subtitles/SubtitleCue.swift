/// A cue of a SubRip or WebVTT file.
package struct SubtitleCue: Sendable, Hashable {
    /// The time in the file from which the cue is shown, in milliseconds.
    package var start: Int64
    /// The time in the file from which the cue is no longer shown, in milliseconds.
    package var end: Int64
    /// The text of an ASS event: `\N` separates lines, and override blocks stand for the file's tags.
    package var text: String
    /// The position that a WebVTT cue asks for; nil leaves it to the style.
    package var place: CuePlace?
    /// The number of the line with its times, from 1.
    package var line: Int
}

/// The position of a WebVTT cue (WebVTT §3.4), in millionths of the frame's width and height.
package struct CuePlace: Sendable, Hashable {
    /// The alignment of the cue's lines.
    package enum Side: Sendable, Hashable {
        case left, center, right
    }

    /// The vertical position of the cue.
    package enum Line: Sendable, Hashable {
        /// The distance of the cue's top from the frame's, in millionths of the frame's height.
        case height(Int64)
        /// A number of lines: from 0 it counts down from the top, from −1 it counts up from the bottom.
        case number(Int)
    }

    /// The alignment of its lines within the room from `left` to `right`.
    package var side = Side.center
    /// The left end of the cue's room, in millionths of the frame's width.
    package var left: Int64 = 0
    /// The right end of the cue's room, in millionths of the frame's width.
    package var right: Int64 = 1_000_000
    /// The vertical position; nil means the bottom.
    package var line: Line?
}
