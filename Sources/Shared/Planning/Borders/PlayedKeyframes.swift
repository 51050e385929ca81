import CompositionModel
import Timing

/// The keyframes of a stream between two source times, one by one in the order in which they are played.
///
/// Those that cannot matter are skipped by bisection: a source of ten hours that plays in a second costs what its
/// second of frames costs.
struct PlayedKeyframes {
    /// The stream's keyframes, in shown frames, ascending.
    private let all: [Int64]
    /// The positions in `all` that are still to be played.
    private var left: Range<Int>
    private let isBackwards: Bool

    /// - Parameters:
    ///   - start: The source time at which playing starts, in seconds.
    ///   - end: The source time at which it ends; before `start` when the source runs backwards. The later of the two
    ///     does not belong to what is played.
    /// - Throws: ``PlanError/time(_:)`` when a number does not fit.
    init(of stream: VideoStreamFacts, from start: RationalTime, to end: RationalTime) throws(PlanError) {
        all = stream.keyframes
        isBackwards = end <= start
        let (low, high) = try exact { () throws(TimeError) in
            (try stream.firstKeyframe(notBefore: min(start, end)), try stream.firstKeyframe(notBefore: max(start, end)))
        }
        left = low..<max(low, high)
    }

    /// The next keyframe, a shown frame of the stream; nil after the last one.
    mutating func next() -> Int64? {
        guard let position = isBackwards ? left.last : left.first else { return nil }
        left = isBackwards ? left.lowerBound..<position : (position + 1)..<left.upperBound
        return all[position]
    }

    /// Leaves out the keyframes that are played before `frame` is.
    mutating func skip(to frame: Int64) {
        if isBackwards {
            left = left.lowerBound..<max(left.lowerBound, min(left.upperBound, all.partitionPoint { $0 > frame }))
        } else {
            left = min(left.upperBound, max(left.lowerBound, all.partitionPoint { $0 >= frame }))..<left.upperBound
        }
    }
}
