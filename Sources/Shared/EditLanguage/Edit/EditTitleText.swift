public import CompositionModel
public import Timing

/// A text and how it is drawn, as it is written.
public struct EditTitleText: Sendable, Hashable {
    /// The words; lines end at a line feed.
    public var text: Marked<String>
    /// The face and its size.
    public var font: EditFont
    /// The colour of the letters, `#rrggbb` or `#rrggbbaa` in lower case; nil is white.
    public var color: Marked<String>?
    /// How lines lie beside each other; nil is ``TitleText/Alignment/center``.
    public var alignment: Marked<TitleText.Alignment>?
    /// The language as BCP 47 writes it; it decides between forms of one character.
    public var language: Marked<String>?
    /// The factor of the line spacing that the font asks for; nil is 1.
    public var lineSpacing: Marked<FixedDecimal>?
    /// The space that is added between letters; nil is none.
    public var letterSpacing: EditQuantity?
    /// The place in the frame; nil is its centre.
    public var box: EditTitleBox?
    /// The line around the letters; nil is none.
    public var outline: EditTitleOutline?
    /// The shadow of the letters; nil is none.
    public var shadow: EditTitleShadow?
}

/// A line around the letters.
public struct EditTitleOutline: Sendable, Hashable {
    /// The width of the line.
    public var width: EditQuantity
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is black.
    public var color: Marked<String>?
}

/// A blurred copy behind the letters.
public struct EditTitleShadow: Sendable, Hashable {
    /// The place beside the letters, to the right and down; nil is 4 pixels each.
    public var offset: [EditQuantity]?
    /// The standard deviation of the blur; nil is 4 pixels.
    public var blur: EditQuantity?
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case; nil is half transparent black.
    public var color: Marked<String>?
}
