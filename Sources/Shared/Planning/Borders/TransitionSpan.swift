import CompositionModel
import Timing

/// One transition over all the runs that it crosses, on the composition's timeline.
struct TransitionSpan: Hashable {
    var frames: FrameRange

    /// The spans of `runs`, in order of their starts.
    ///
    /// Two runs belong to one transition when a ramp of the second continues where a ramp of the first stopped.
    static func all(in runs: [SliceInstruction]) -> [TransitionSpan] {
        var open: [TransitionRamp: Int] = [:]
        var spans: [TransitionSpan] = []
        for run in runs {
            var next: [TransitionRamp: Int] = [:]
            for ramp in run.layers.compactMap(\.transition) {
                let span = open[ramp] ?? spans.count
                if span == spans.count { spans.append(TransitionSpan(frames: run.frames)) }
                let start = spans[span].frames.start
                spans[span].frames = FrameRange(start: start, count: run.frames.end - start)
                var rest = ramp
                rest.firstStep += run.frames.count
                next[rest] = span
            }
            open = next
        }
        return spans
    }
}

/// The frames that cannot be borders, because a border there would cut a transition that fits into a segment.
/// Overlapping transitions on several tracks count as one.
struct TransitionCover {
    /// The covered ranges, in order and without overlap.
    private var inside: [FrameRange] = []

    /// Joins overlapping spans and drops those that no segment can hold.
    /// - Parameter longest: The frames of the longest segment; a longer transition may be cut.
    init(_ spans: [TransitionSpan], longest: Int64) {
        let ranges = spans.filter { $0.frames.count > 1 }
            .map { FrameRange(start: $0.frames.start + 1, count: $0.frames.count - 1) }
        for range in ranges.sorted(by: { $0.start < $1.start }) {
            if let last = inside.last, range.start < last.end {
                let end = max(last.end, range.end)
                inside[inside.count - 1] = FrameRange(start: last.start, count: end - last.start)
            } else {
                inside.append(range)
            }
        }
        inside.removeAll { $0.count + 1 > longest }
    }

    /// Whether a border at `frame` would cut a transition.
    func isInside(_ frame: Int64) -> Bool {
        let index = inside.partitionPoint { $0.end > frame }
        return index < inside.count && inside[index].contains(frame)
    }
}
