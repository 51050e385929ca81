import Timing

/// A frame at which a segment may begin.
struct BorderCandidate: Hashable {
    /// The frame on the composition's timeline.
    var frame: Int64
    /// Why a segment may begin here.
    var reason: BorderReason
    /// The number of frames, over all sources, that a segment beginning here decodes before the first one that it
    /// shows.
    var preRoll: Int64 = 0
    /// Orders candidates of one strength and decoding cost. It is drawn from the content around the border, never from
    /// its place on the timeline, so that the same cut wins wherever it stands.
    var tie: UInt64

    /// Whether this candidate is kept rather than `other`. This is a total order over candidates of different frames;
    /// the frame decides only between borders whose surroundings are the same.
    func isStronger(than other: BorderCandidate) -> Bool {
        if reason.strength != other.reason.strength { return reason.strength > other.reason.strength }
        if preRoll != other.preRoll { return preRoll < other.preRoll }
        if tie != other.tie { return tie < other.tie }
        return frame < other.frame
    }
}

extension BorderReason {
    /// The rank of a reason: cut > transition > keyframe > length. The grid never chooses among edges and forced
    /// borders.
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
