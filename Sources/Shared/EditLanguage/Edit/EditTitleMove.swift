public import CompositionModel
public import Timing

/// `"fade"` or `{ "move": "slide", "from": "left", "duration": "0.5s", "ease": "outCubic" }`: how a title comes or
/// goes.
public struct EditTitleMove: Sendable, Hashable {
    /// The kinds of moves.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case fade, rise, slide, type, pop
    }

    /// The side of the frame that a title comes from, and goes to.
    public enum Side: String, Sendable, Hashable, CaseIterable {
        case left, right, top, bottom
    }

    /// The kind of the move.
    public var kind: Kind
    /// The duration, above 0; nil is half a second, at most half of the title.
    public var duration: Marked<EditTime>?
    /// The side of a slide; nil is ``Side/left``.
    public var side: Marked<Side>?
    /// The ease of the move; nil is what suits the kind.
    public var ease: Marked<Easing>?
    /// The name of the move, or its object.
    public var mark: SourceMark
}
