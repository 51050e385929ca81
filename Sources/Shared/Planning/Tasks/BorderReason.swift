import CompositionModel
import Timing

/// Why a segment begins or ends where it does.
public enum BorderReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// First or last frame of what is rendered.
    case edge
    /// The set of layers changes without a transition.
    case cut
    /// A transition begins or ends.
    case transition
    /// A source keyframe inside a range that one clip fills untouched.
    case keyframe
    /// A long range without any of these.
    case length
    /// The middle of a short output that has no other border.
    case middle
    /// `--segments N`, for tests.
    case forced
}
