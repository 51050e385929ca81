package import CompositionModel

/// Where a text stands in the frame, and what is drawn behind it.
package struct EditTitleBox: Sendable, Hashable {
    /// The part of the frame that it is put to; nil is the centre, for subtitles the lower edge.
    package var anchor: Marked<TitleBox.Anchor>?
    /// The distances from the frame's left and right sides, and from its upper and lower ones; nil is
    /// none, for subtitles 4 % of its height.
    package var margin: [EditQuantity]?
    /// The width at which lines are broken; nil is the text's own.
    package var width: EditQuantity?
    /// A box of one colour behind the text; nil is none.
    package var background: EditTitleBackground?
}

/// A box of one colour behind a text.
package struct EditTitleBackground: Sendable, Hashable {
    /// The colour, `#rrggbb` or `#rrggbbaa` in lower case.
    package var color: Marked<String>
    /// How much larger than the text the box is, across and down; nil is not at all.
    package var padding: [EditQuantity]?
    /// The radius of the corners; nil is 0.
    package var radius: EditQuantity?
}
