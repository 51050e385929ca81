public import CompositionModel
import Timing

/// `from` alone, or a transition between the two; a nil side of a transition is what lies below.
public struct SliceLayer: Sendable, Hashable, Codable {
    /// In place of both sides.
    public var title: SliceTitle?
    public var from: SliceSource?
    public var to: SliceSource?
    public var transition: TransitionRamp?

    public init(from: SliceSource?, to: SliceSource? = nil, transition: TransitionRamp? = nil) {
        self.from = from
        self.to = to
        self.transition = transition
    }

    public init(title: SliceTitle) { self.title = title }
}
