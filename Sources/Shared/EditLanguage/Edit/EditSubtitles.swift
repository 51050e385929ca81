package import CompositionModel
package import Timing

/// The cues of a subtitle file and how they are drawn, as it is written. What a file of ASS says for itself is nil.
package struct EditSubtitles: Sendable, Hashable {
    /// The name of the file in ``Edit/assets``.
    package var asset: Marked<String>
    /// The time of the file at the title's start; nil is its beginning.
    package var start: Marked<EditTime>?
    /// The font; its size is 5 % of the frame's height where it has none. Its families stand in for those that the file names and that are not there.
    package var font: EditFont
    /// The colour of the letters, `#rrggbb` or `#rrggbbaa` in lower case; nil is white.
    package var color: Marked<String>?
    /// The language as BCP 47 writes it; it decides between forms of one character.
    package var language: Marked<String>?
    /// The line around the letters; nil is black, a sixteenth of the size wide.
    package var outline: EditTitleOutline?
    /// The place of the cues in the frame; nil is at its lower edge.
    package var box: EditTitleBox?
    /// The first word that says how cues look, and that has no effect on a file that says so itself.
    package var styleMark: SourceMark?
}
