import CompositionModel
import Timing

/// Finds every frame at which a segment may begin, each with its strongest reason.
///
/// All candidates are found in the whole composition, also when only a part of it is rendered, so that the grid of a
/// part is the grid of the whole.
struct BorderCandidates {
    private let runs: [SliceInstruction]
    let assets: AssetTable
    let rate: FrameRate
    private let rule: GridRule
    private let spans: [TransitionSpan]
    private let cover: TransitionCover

    init(_ runs: [SliceInstruction], assets: AssetTable, rate: FrameRate, rule: GridRule) throws(PlanError) {
        self.runs = runs
        self.assets = assets
        self.rate = rate
        self.rule = rule
        spans = TransitionSpan.all(in: runs)
        cover = TransitionCover(spans, longest: try rule.longestCount(rate))
    }

    /// Whether a transition goes on over `frame`, so that nothing may begin there.
    func isInsideTransition(_ frame: Int64) -> Bool { cover.isInside(frame) }

    /// The candidates in order of frames, at most one per frame, none inside a transition that fits into a segment.
    func all() throws(PlanError) -> [BorderCandidate] {
        var candidates = try runBorders() + insideCandidates()
        // The order of those of one frame does not count: the strongest is kept.
        candidates.sort { $0.frame < $1.frame }
        var strongest: [BorderCandidate] = []
        strongest.reserveCapacity(candidates.count)
        for candidate in candidates where !cover.isInside(candidate.frame) {
            guard let last = strongest.last, last.frame == candidate.frame else {
                strongest.append(candidate)
                continue
            }
            if candidate.isStronger(than: last) { strongest[strongest.count - 1] = candidate }
        }
        return strongest
    }

    /// The frames, in order, at which a single clip is shown and shows a keyframe; at most one per second of source
    /// time inside a run.
    func keyframes() throws(PlanError) -> [Int64] {
        var frames = try insideCandidates().filter { $0.reason == .keyframe }.map(\.frame)
        for run in runs where try beginsWithKeyframe(run) { frames.append(run.frames.start) }
        return frames.sorted()
    }

    /// Whether a run shows a single clip and its first frame is a keyframe of that clip.
    private func beginsWithKeyframe(_ run: SliceInstruction) throws(PlanError) -> Bool {
        guard run.layers.count == 1, run.layers[0].transition == nil, let source = run.layers[0].from,
            source.speed == nil, source.curve == nil
        else { return false }
        return try preRoll(of: run.layers) == 0
    }

    /// The candidates at which one run ends and the next begins.
    private func runBorders() throws(PlanError) -> [BorderCandidate] {
        let edges = Set(spans.flatMap { [$0.frames.start, $0.frames.end] })
        var candidates: [BorderCandidate] = []
        for (before, after) in zip(runs, runs.dropFirst()) {
            try PlanError.step()
            let frame = after.frames.start
            let here = FrameRange(start: frame, count: 0)
            var tie = ContentTieBreaker()
            tie.mix(try before.slice(here, frameDuration: rate.frameDuration).layers, assets: assets)
            tie.mix(after.layers, assets: assets)
            let reason: BorderReason = edges.contains(frame) ? .transition : .cut
            let preRoll = try preRoll(of: after.layers)
            candidates.append(BorderCandidate(frame: frame, reason: reason, preRoll: preRoll, tie: tie.value))
        }
        return candidates
    }

    /// The number of frames decoded before the first shown ones when a segment begins where the sources of `layers`
    /// start, counted from the keyframes at which decoding enters. For a source that runs backwards, the frames are
    /// counted below the last frame of the part before the border.
    private func preRoll(of layers: [SliceLayer]) throws(PlanError) -> Int64 {
        var preRoll: Int64 = 0
        try layers.forEachSource { source throws(PlanError) in
            let stream = try assets.video(source)
            let isBackwards = source.speed?.isNegative ?? false
            preRoll += try exact { () throws(TimeError) in
                let time = try source.start.advanced(
                    by: isBackwards ? -1 : 0,
                    of: rate.frameDuration,
                    speed: source.speed
                )
                return stream.decodeDistance(to: try stream.frame(shownAt: time))
            }
        }
        return preRoll
    }

    private func insideCandidates() throws(PlanError) -> [BorderCandidate] {
        var candidates: [BorderCandidate] = []
        for run in runs {
            candidates += try lengths(in: run)
            guard run.layers.count == 1, run.layers[0].transition == nil, let source = run.layers[0].from else {
                continue
            }
            guard source.curve == nil else { continue }
            switch source.speed {
            case nil: candidates += try keyframes(of: source, in: run)
            case .some(.zero): continue
            case .some(let speed): candidates += try keyframes(of: source, at: speed, in: run)
            }
        }
        return candidates
    }

    /// The candidates at multiples of the length step, counted in source time ÷ speed of the run's lowest source.
    /// Without a source, or where the source is held or has a time-remap curve, they are counted from the run's start.
    private func lengths(in run: SliceInstruction) throws(PlanError) -> [BorderCandidate] {
        let source = run.layers.first.flatMap { $0.from ?? $0.to }
        let start = try source.map { source throws(PlanError) in try clock(of: source) } ?? .zero
        var candidates: [BorderCandidate] = []
        var multiple = try exact { () throws(TimeError) in
            try start.count(of: RationalTime(whole: rule.lengthStep), rounding: .down).value
        }
        while true {
            try PlanError.step()
            multiple += 1
            let time = RationalTime(whole: multiple * rule.lengthStep)
            let offset = try frames(from: start, to: time)
            guard offset < run.frames.count else { return candidates }
            guard offset > 0, candidates.last?.frame != run.frames.start + offset else { continue }
            var length = candidate(.length, at: run.frames.start + offset, source: source, time: time)
            length.preRoll = try preRoll(of: layers(of: run, after: offset))
            candidates.append(length)
        }
    }

    /// The time in seconds at which `source` starts, on a clock that runs as fast as the timeline.
    private func clock(of source: SliceSource) throws(PlanError) -> RationalTime {
        if source.curve != nil { return .zero }
        guard let speed = source.speed else { return source.start }
        guard speed != .zero else { return .zero }
        return try exact { () throws(TimeError) in try source.start.divided(by: speed) }
    }

    private func layers(of run: SliceInstruction, after offset: Int64) throws(PlanError) -> [SliceLayer] {
        let here = FrameRange(start: run.frames.start + offset, count: 0)
        return try run.slice(here, frameDuration: rate.frameDuration).layers
    }

    /// The first edit frame that shows each keyframe of `source`; at most one, the first, per second of source time.
    private func keyframes(of source: SliceSource, in run: SliceInstruction) throws(PlanError) -> [BorderCandidate] {
        let stream = try assets.video(source)
        var candidates: [BorderCandidate] = []
        var next = source.start
        while true {
            try PlanError.step()
            let index = try exact { () throws(TimeError) in try stream.firstKeyframe(notBefore: next) }
            guard index < stream.keyframes.count else { return candidates }
            let keyframe = stream.keyframes[index]
            let time = try exact { () throws(TimeError) in try stream.time(ofFrame: keyframe) }
            let offset = try border(at: keyframe, of: stream, source: source)
            guard offset < run.frames.count else { return candidates }
            if offset > 0, try isBorder(keyframe, of: stream, at: offset, source: source) {
                candidates.append(candidate(.keyframe, at: run.frames.start + offset, source: source, time: time))
            }
            let second = try exact { () throws(TimeError) in
                try time.count(of: RationalTime(whole: 1), rounding: .down).value
            }
            next = RationalTime(whole: second + 1)
        }
    }

    /// The number of edit frames from `start` to the first one at or after `time`.
    private func frames(from start: RationalTime, to time: RationalTime) throws(PlanError) -> Int64 {
        try exact { () throws(TimeError) in
            try rate.frame(at: time.subtracting(start), rounding: .up).value
        }
    }

    func candidate(
        _ reason: BorderReason,
        at frame: Int64,
        source: SliceSource?,
        time: RationalTime
    ) -> BorderCandidate {
        var tie = ContentTieBreaker()
        tie.mix(source.map { assets.seed($0) } ?? 0)
        tie.mix(UInt64(bitPattern: Int64(source?.stream ?? -1)))
        tie.mix(time)
        if let speed = source?.speed { tie.mix(speed) }
        return BorderCandidate(frame: frame, reason: reason, tie: tie.value)
    }
}
