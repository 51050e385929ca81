import Timing

/// A frame at which a segment may begin.
struct BorderCandidate: Hashable {
    /// On the composition's timeline.
    var frame: Int64
    var reason: BorderReason
    /// Frames that a segment which begins here decodes before the first one that it shows, over all of its sources.
    var lead: Int64 = 0
    /// Orders candidates of one strength and lead: drawn from the content around the border, never from its place on
    /// the timeline, so that the same cut wins wherever it stands.
    var tie: UInt64

    /// Whether this is to be kept rather than `other`. A total order for candidates of different frames; the frame
    /// decides only between borders whose surroundings are the same.
    func isStronger(than other: BorderCandidate) -> Bool {
        if reason.strength != other.reason.strength { return reason.strength > other.reason.strength }
        if lead != other.lead { return lead < other.lead }
        if tie != other.tie { return tie < other.tie }
        return frame < other.frame
    }
}

extension BorderReason {
    /// cut > transition > keyframe > length. The others are never chosen between.
    var strength: Int {
        switch self {
        case .edge, .forced: 4
        case .cut: 3
        case .transition: 2
        case .keyframe: 1
        case .length, .middle: 0
        }
    }
}
