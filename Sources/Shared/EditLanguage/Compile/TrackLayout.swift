import CompositionModel
import Timing

/// Gives the segments of one track their places on the timeline.
/// ```
/// items     A   dissolve 1s   B   gap 2s   dissolve 1s   C
/// timeline  [ A      ]
///                 [ B      ]                the dissolve overlaps A and B: the timeline is shorter by it
///                            ·····[ C    ]  beside a gap it plays against the background, over the start of C
/// ```
struct TrackLayout {
    let grid: TrackGrid
    let sources: SourceResolver
    let log: FindingLog
    /// The rule of the whole edit for times between two frames.
    let editSnap: SnapRule
    /// What may still come, shared with all tracks.
    let allowance: CompileAllowance
    /// Where the picture ends, for a track of sound; nil when there is no picture.
    var pictureEnd: RationalTime?

    /// The exact end of what came before.
    private(set) var cursor: RationalTime = .zero
    var placed: [PlacedSegment] = []
    /// Whether the last of `placed` ends at `cursor`, so that a transition would overlap it.
    private(set) var isTouching = false
    var pending: EditTransition?
    /// The seconds of `pending`.
    private(set) var pendingDuration: RationalTime = .zero

    init(grid: TrackGrid, sources: SourceResolver, editSnap: SnapRule, allowance: CompileAllowance = CompileAllowance())
    {
        self.allowance = allowance
        self.grid = grid
        self.sources = sources
        self.editSnap = editSnap
        log = grid.log
    }

    /// - Returns: the track with what could be placed; what could not has left a finding.
    mutating func place(_ track: EditTrack, id: String) -> PlacedTrack {
        placed.reserveCapacity(track.items.count)
        for item in track.items {
            guard WorkMeter.step() else { break }
            do throws(TimeError) { try place(item) } catch {
                log.error(item.mark, .timeOverflow, "a time here is too large or too fine to compute with exactly")
            }
        }
        if let last = placed.indices.last {
            attempt(at: track.mark) { layout throws(TimeError) in try layout.fadeOut(last) }
        }
        for segment in placed { checkMeeting(segment) }
        let end = try? grid.position(cursor)
        return PlacedTrack(track: track, id: id, segments: placed, end: max(end ?? 0, placed.last?.end ?? 0))
    }

    private mutating func attempt(at mark: SourceMark, _ body: (inout TrackLayout) throws(TimeError) -> Void) {
        do throws(TimeError) { try body(&self) } catch {
            log.error(mark, .timeOverflow, "a time here is too large or too fine to compute with exactly")
        }
    }

    private mutating func place(_ item: EditItem) throws(TimeError) {
        switch item {
        case .transition(let transition): try open(transition)
        case .gap(let gap): try place(gap)
        case .segment(let segment): try place(segment)
        }
    }

    private mutating func open(_ transition: EditTransition) throws(TimeError) {
        guard let written = grid.seconds(transition.duration) else { return }
        pendingDuration = try grid.placed(written, snap: editSnap, mark: transition.duration.mark)
        pending = transition
    }

    private mutating func place(_ gap: EditGap) throws(TimeError) {
        if let last = placed.indices.last { try fadeOut(last) }
        isTouching = false
        guard let written = grid.seconds(gap.duration) else { return }
        cursor = try cursor.adding(grid.placed(written, snap: editSnap, mark: gap.duration.mark))
    }

    private mutating func place(_ segment: EditSegment) throws(TimeError) {
        let snap = segment.snap?.value ?? editSnap
        let start = try start(of: segment, snap: snap)
        let source = sources.resolve(segment, on: grid)
        guard let source, let speed = try speed(of: segment, source, snap: snap),
            let extent = try extent(of: segment, source, at: speed, from: start, snap: snap)
        else {
            // Nothing is known of its end: what follows is placed as if it were not there.
            (isTouching, pending) = (false, nil)
            return
        }
        let first = placed.count
        let last = try place(segment, source, at: speed, in: extent, from: start)
        guard let last else {
            (isTouching, pending) = (false, nil)
            return
        }
        try fadeIn(first)
        cursor = editSnap == .nearest || grid.kind == .audio ? last.time : try RationalTime(last.end, of: grid.unit)
        isTouching = true
    }

    /// Appends what is played in `run`, as often as the segment says.
    /// - Returns: the extent that ends where all of it does; nil after a finding.
    private mutating func place(
        _ segment: EditSegment,
        _ source: ResolvedSource,
        at speed: RationalTime,
        in run: Extent,
        from start: RationalTime
    ) throws(TimeError) -> Extent? {
        var piece = PlacedSegment(
            segment: segment,
            asset: segment.asset.value,
            streams: source.streams,
            sourceIn: source.start,
            sourceStart: try firstShown(of: source, at: speed, count: run.end - run.start),
            speed: speed,
            curve: run.curve,
            remap: run.remap,
            exactStart: grid.kind == .audio ? start : nil,
            start: run.start,
            end: run.end
        )
        guard grid.kind == .audio else { return try place(piece, runs: segment.loop, in: run) }
        let found = try soundExtent(of: segment, source, at: speed, in: run, from: start)
        guard let found else { return nil }
        (piece.loop, piece.sourceStart, piece.end) = (found.loop, found.sourceStart, found.extent.end)
        append(piece)
        return found.extent
    }

    mutating func append(_ piece: PlacedSegment) { placed.append(piece) }
}

// Where a segment begins and ends.
extension TrackLayout {
    /// The exact start of `segment`, on a frame where that is asked for.
    private mutating func start(of segment: EditSegment, snap: SnapRule) throws(TimeError) -> RationalTime {
        let overlap = isTouching && pending != nil ? pendingDuration : .zero
        let following = max(try cursor.subtracting(overlap), .zero)
        guard let at = segment.at, let written = grid.seconds(at) else { return following }
        let start = try grid.placed(written, snap: snap, mark: at.mark)
        if overlap > .zero {
            guard start != following else { return start }
            contradiction(at, start, following)
            return following
        }
        if start < cursor {
            let times = TimeWords.distinct(start, cursor)
            let numbers = "at \(times[0]), before the one before it ends at \(times[1])"
            log.error(at.mark, .segmentsOverlap, "the segment begins \(numbers); overlaps need another track")
            return cursor
        }
        if start > cursor { isTouching = false }
        return start
    }

    private func contradiction(_ at: Marked<EditTime>, _ start: RationalTime, _ following: RationalTime) {
        let times = TimeWords.distinct(following, start)
        let numbers = "places it at \(times[0]), \"at\" says \(times[1])"
        log.error(at.mark, .atContradiction, "the transition before this segment \(numbers)")
    }

    var unitName: String { grid.kind == .video ? "frame" : "sample" }
}
