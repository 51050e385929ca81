package import CompositionModel

/// The font of a text, as it is written.
package struct EditFont: Sendable, Hashable {
    /// Names of families, of which the first that is there is taken; none takes what is there.
    package var families: [Marked<String>] = []
    /// Names in ``Edit/assets`` of font files, in place of the fonts of the machine.
    package var assets: [Marked<String>] = []
    /// The weight, 100…900; nil is 400.
    package var weight: Marked<Int>?
    /// Whether the face is slanted.
    package var isItalic = false
    /// The size of the em square; nil is 6 % of the frame's height, for subtitles 5 %.
    package var size: EditQuantity?
    /// The `font` object, or the title when there is none.
    package var mark: SourceMark
}
