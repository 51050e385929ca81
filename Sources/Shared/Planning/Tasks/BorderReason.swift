import CompositionModel
import Timing

/// Why a segment begins or ends where it does.
package enum BorderReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The border is the first frame of the output, or the frame after its last.
    case edge
    /// The set of layers changes without a transition.
    case cut
    /// A transition begins or ends.
    case transition
    /// A source keyframe lies inside a range that one clip fills alone.
    case keyframe
    /// A long range has none of the reasons above.
    case length
    /// A short output without any other border is divided in its middle.
    case middle
    /// The caller asked for a number of equal parts (`--segments`, for tests).
    case forced
}
