import CompositionModel
import Timing

/// Finds the segments of a sound track that lie in a window, without looking at each segment of a long track again for
/// every piece.
struct SegmentReach {
    /// Positions of the track's segments in order of their starts.
    private let positions: [Int]
    private let starts: [Int64]
    private let ends: [Int64]
    /// The largest end up to each place in ``positions``.
    private let largestEnds: [Int64]

    init(_ segments: [AudioTrackSegment]) {
        positions = segments.indices.sorted { (segments[$0].start, $0) < (segments[$1].start, $1) }
        starts = positions.map { segments[$0].start }
        let ends = positions.map { segments[$0].start + segments[$0].count }
        self.ends = ends
        var largest = Int64.min
        largestEnds = ends.map { end in
            largest = max(largest, end)
            return largest
        }
    }

    /// The positions of the segments that have samples in `window`, ascending.
    func positions(in window: Range<Int64>) -> [Int] {
        let end = starts.partitionPoint { $0 >= window.upperBound }
        let first = min(largestEnds.partitionPoint { $0 > window.lowerBound }, end)
        return (first..<end).filter { ends[$0] > window.lowerBound }.map { positions[$0] }.sorted()
    }
}

/// The reaches of the tracks of a composition and of its nested edits, each found once.
final class SegmentReaches {
    /// By position among the nested edits; -1 is the composition itself.
    private var known: [Int: [SegmentReach]] = [:]

    /// - Parameter number: the position of `edit` among the composition's nested edits; nil for the composition itself.
    func tracks(of edit: Composition, number: Int?) -> [SegmentReach] {
        let key = number ?? -1
        if let found = known[key] { return found }
        let made = edit.audioTracks.map { SegmentReach($0.segments) }
        known[key] = made
        return made
    }
}
