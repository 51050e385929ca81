package import CompositionModel
package import Timing

/// A text and how it is drawn, as it is written.
package struct EditTitleText: Sendable, Hashable {
    /// The words; lines end at a line feed.
    package var text: Marked<String>
    /// The face and its size.
    package var font: EditFont
    /// The colour of the letters, `#rrggbb` or `#rrggbbaa` in lower case; nil is white.
    package var color: Marked<String>?
    /// How lines lie beside each other; nil is ``TitleText/Alignment/center``.
    package var alignment: Marked<TitleText.Alignment>?
    /// The language as BCP 47 writes it; it decides between forms of one character.
    package var language: Marked<String>?
    /// The factor of the line spacing that the font asks for; nil is 1.
    package var lineSpacing: Marked<FixedDecimal>?
    /// The space that is added between letters; nil is none.
    package var letterSpacing: EditQuantity?
    /// The place in the frame; nil is its centre.
    package var box: EditTitleBox?
    /// The line around the letters; nil is none.
    package var outline: EditTitleOutline?
    /// The shadow of the letters; nil is none.
    package var shadow: EditTitleShadow?
}

/// A line around the letters.
package struct EditTitleOutline: Sendable, Hashable {
    /// The width of the line.
    package var width: EditQuantity
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is black.
    package var color: Marked<String>?
}

/// A blurred copy behind the letters.
package struct EditTitleShadow: Sendable, Hashable {
    /// The place beside the letters, to the right and down; nil is 4 pixels each.
    package var offset: [EditQuantity]?
    /// The standard deviation of the blur; nil is 4 pixels.
    package var blur: EditQuantity?
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is half transparent black.
    package var color: Marked<String>?
}
