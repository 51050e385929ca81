package import CompositionModel
import Timing

/// One layer of a picture: a title, the source `from` alone, or a transition between two sources. A nil side of a
/// transition shows what lies below the layer. Most layers are one source: what others have takes no memory there.
package struct SliceLayer: Sendable, Hashable, Codable, OrderedObject {
    /// The title drawn in place of both sources; nil for a layer of sources.
    @OptionalCopyOnWrite package var title: SliceTitle? = nil
    /// The only source, or the outgoing side of a transition.
    package var from: SliceSource?
    /// The incoming side of a transition; nil without one.
    @OptionalCopyOnWrite package var to: SliceSource? = nil
    /// The progress of the transition over the instruction's frames; nil without one.
    @OptionalCopyOnWrite package var transition: TransitionRamp? = nil

    package init(from: SliceSource?, to: SliceSource? = nil, transition: TransitionRamp? = nil) {
        self.from = from
        self.to = to
        self.transition = transition
    }

    package init(title: SliceTitle) { self.title = title }
}
