package import CompositionModel
package import Timing

/// `"fade"` or `{ "move": "slide", "from": "left", "duration": "0.5s", "ease": "outCubic" }`: how a title comes or
/// goes.
package struct EditTitleMove: Sendable, Hashable {
    /// The kinds of moves.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case fade, rise, slide, type, pop
    }

    /// The side of the frame that a title comes from, and goes to.
    package enum Side: String, Sendable, Hashable, CaseIterable {
        case left, right, top, bottom
    }

    /// The kind of the move.
    package var kind: Kind
    /// The duration, above 0; nil is half a second, at most half of the title.
    package var duration: Marked<EditTime>?
    /// The side of a slide; nil is ``Side/left``.
    package var side: Marked<Side>?
    /// The ease of the move; nil is what suits the kind.
    package var ease: Marked<Easing>?
    /// The name of the move, or its object.
    package var mark: SourceMark
}
