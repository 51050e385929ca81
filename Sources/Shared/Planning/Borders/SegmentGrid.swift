import Timing

/// Chooses the borders of segments among candidates; a pure function of the content near each border
/// (docs/planning.md).
struct SegmentGrid {
    /// The frames of the composition that are rendered.
    let range: FrameRange
    /// The fewest frames between two borders.
    let shortest: Int64
    /// The most frames between two borders.
    let longest: Int64
    /// The fewest frames in each half of an output that is divided in two.
    private let shortestHalf: Int64

    init(range: FrameRange, rate: FrameRate, rule: GridRule) throws(PlanError) {
        self.range = range
        shortest = try rule.shortestCount(rate)
        longest = try rule.longestCount(rate)
        shortestHalf = try rule.shortestHalfCount(rate)
    }

    /// The chosen borders inside `range`, in order.
    /// - Parameters:
    ///   - found: The candidates of the whole composition; those outside `range` are ignored.
    ///   - copied: The spans that are copied. A border divides one only where a copy may begin and end: elsewhere frames
    ///     would have to be encoded for it.
    /// - Throws: The ``PlanError`` that finding candidates throws.
    func choose(_ found: BorderCandidates, copied: [CopySpans.Span] = []) throws(PlanError) -> [BorderCandidate] {
        let inside = try found.all().filter { candidate in
            candidate.frame > range.start && candidate.frame < range.end && !isInside(candidate.frame, of: copied)
        }
        let borders = bridged(spread(inside), by: inside)
        guard borders.isEmpty else { return borders }
        return middle(of: inside) { found.isInsideTransition($0) || isInside($0, of: copied) }
    }

    private func isInside(_ frame: Int64, of copied: [CopySpans.Span]) -> Bool {
        let place = copied.partitionPoint { $0.frames.end > frame }
        guard place < copied.count else { return false }
        return copied[place].frames.start < frame && !copied[place].divides(at: frame)
    }

    /// The border that divides what would be a single segment, so that two workers share it: the strongest candidate at
    /// most a tenth of the range away from its middle, else the middle frame. Empty if a half would be too short or the
    /// middle is taken by a transition or a copy.
    private func middle(
        of candidates: [BorderCandidate],
        isTaken: (Int64) -> Bool
    ) -> [BorderCandidate] {
        let half = range.count / 2
        guard half >= shortestHalf else { return [] }
        let middle = range.start + half
        let way = min(range.count / 10, half - shortestHalf)
        let near = candidates.filter { abs($0.frame - middle) <= way }
        if let best = near.max(by: { $1.isStronger(than: $0) }) { return [best] }
        return isTaken(middle) ? [] : [BorderCandidate(frame: middle, reason: .middle, tie: 0)]
    }

    /// Keeps the strongest candidates first, each at least `shortest` frames from all kept earlier and from both ends.
    private func spread(_ candidates: [BorderCandidate]) -> [BorderCandidate] {
        var kept = KeptFrames(spacing: shortest)
        kept.insert(range.start)
        kept.insert(range.end)
        var borders: [BorderCandidate] = []
        for candidate in candidates.sorted(by: { $0.isStronger(than: $1) }) where kept.isFree(candidate.frame) {
            kept.insert(candidate.frame)
            borders.append(candidate)
        }
        return borders.sorted { $0.frame < $1.frame }
    }

    /// Returns `borders` with more of `candidates` wherever two would be more than `longest` apart. Only a long
    /// transition with an edge near a kept border needs this; then a short segment is better than one that is too long.
    private func bridged(_ borders: [BorderCandidate], by candidates: [BorderCandidate]) -> [BorderCandidate] {
        var result: [BorderCandidate] = []
        var start = range.start
        for border in borders {
            result += bridges(from: start, to: border.frame, candidates: candidates) + [border]
            start = border.frame
        }
        return result + bridges(from: start, to: range.end, candidates: candidates)
    }

    private func bridges(from start: Int64, to end: Int64, candidates: [BorderCandidate]) -> [BorderCandidate] {
        guard end - start > longest else { return [] }
        let first = candidates.partitionPoint { $0.frame > start }
        let between = candidates[first...].prefix { $0.frame < end }
        let best = between.max { isBetterBridge($1, than: $0, from: start, to: end) }
        guard let best else { return [] }
        return bridges(from: start, to: best.frame, candidates: candidates) + [best]
            + bridges(from: best.frame, to: end, candidates: candidates)
    }

    /// Prefers the candidate farther from both ends, then the stronger one.
    private func isBetterBridge(
        _ one: BorderCandidate,
        than other: BorderCandidate,
        from start: Int64,
        to end: Int64
    ) -> Bool {
        let (near, otherNear) = (min(one.frame - start, end - one.frame), min(other.frame - start, end - other.frame))
        return near == otherNear ? one.isStronger(than: other) : near > otherNear
    }

    /// The borders of `count` equal parts, with at most one part per frame.
    /// - Parameter copied: The spans that have to stay whole: a border inside one is left out.
    func forced(_ count: Int, copied: [CopySpans.Span] = []) -> [BorderCandidate] {
        let parts = Int64(clamping: min(Int64(clamping: max(count, 1)), range.count))
        guard parts > 1 else { return [] }
        return (1..<parts).map { part in
            // The product fits: both factors are below 2^63.
            let frame = range.start + Int64(Int128(part) * Int128(range.count) / Int128(parts))
            return BorderCandidate(frame: frame, reason: .forced, tie: 0)
        }.filter { !isInside($0.frame, of: copied) }
    }
}

/// Frames no two of which are closer than `spacing`: at most one in each bucket of that width.
private struct KeptFrames {
    let spacing: Int64
    private var buckets: [Int64: [Int64]] = [:]

    init(spacing: Int64) { self.spacing = spacing }

    mutating func insert(_ frame: Int64) { buckets[frame / spacing, default: []].append(frame) }

    func isFree(_ frame: Int64) -> Bool {
        let bucket = frame / spacing
        return (bucket - 1...bucket + 1).allSatisfy { index in
            (buckets[index] ?? []).allSatisfy { abs($0 - frame) >= spacing }
        }
    }
}
