import CompositionModel
import Timing

/// Collects the nested edits that a task shows, each cut to the frames that are shown.
struct NestedSlices {
    let assets: AssetTable
    private(set) var slices: [NestedSlice] = []

    init(assets: AssetTable) { self.assets = assets }

    /// A nested edit that plays continuously through a piece of a timeline, across instructions.
    private struct Play: Hashable {
        var nested: Int
        /// The source time at frame 0 of the piece or, with a time-remap curve, at frame `since`.
        var offset: RationalTime
        var speed: RationalTime?
        var curve: RetimeCurve?
        var since: Int64
    }

    /// Rewrites the nested sources of `instructions`, whose frames count from the piece's start, to positions in
    /// ``slices``.
    /// - Throws: ``PlanError/tooManyNested`` for more than ``Limits/mostTracks`` slices, ``PlanError/time(_:)`` when a
    ///   time overflows.
    mutating func collect(
        _ instructions: [SliceInstruction],
        frameDuration: RationalTime
    ) throws(PlanError) -> [SliceInstruction] {
        let (plays, seen) = try ranges(of: instructions, frameDuration)
        guard !plays.isEmpty else { return instructions }
        var places: [Play: Int] = [:]
        for play in plays {
            guard let range = seen[play] else { continue }
            places[play] = try place(of: play.nested, range)
        }
        var collected = instructions
        for index in collected.indices {
            let frames = collected[index].frames
            for layer in collected[index].layers.indices {
                let sides = collected[index].layers[layer]
                collected[index].layers[layer].from = try moved(sides.from, frames, frameDuration, seen, places)
                collected[index].layers[layer].to = try moved(sides.to, frames, frameDuration, seen, places)
            }
        }
        return collected
    }

    private func play(
        _ source: SliceSource,
        _ frames: FrameRange,
        _ frameDuration: RationalTime
    ) throws(PlanError) -> Play {
        let since = source.curve == nil ? 0 : frames.start
        let offset = try exact { () throws(TimeError) in
            try source.start.advanced(by: since - frames.start, of: frameDuration, speed: source.speed)
        }
        return Play(nested: source.asset, offset: offset, speed: source.speed, curve: source.curve, since: since)
    }

    /// The plays in the order of their first use, and the range of the nested edit's own frames that each shows.
    private func ranges(
        of instructions: [SliceInstruction],
        _ frameDuration: RationalTime
    ) throws(PlanError) -> ([Play], [Play: FrameRange]) {
        var plays: [Play] = []
        var ranges: [Play: FrameRange] = [:]
        for instruction in instructions {
            let shown = instruction.layers.filter { $0.from?.isNested == true || $0.to?.isNested == true }
            let sources = shown.flatMap { [$0.from, $0.to].compactMap(\.self) }
            for source in sources where source.isNested == true {
                let play = try play(source, instruction.frames, frameDuration)
                let range = try range(of: source, count: instruction.frames.count, frameDuration)
                guard let known = ranges[play] else {
                    plays.append(play)
                    ranges[play] = range
                    continue
                }
                let start = min(known.start, range.start)
                ranges[play] = FrameRange(start: start, count: max(known.end, range.end) - start)
            }
        }
        return (plays, ranges)
    }

    private func range(
        of source: SliceSource,
        count: Int64,
        _ frameDuration: RationalTime
    ) throws(PlanError) -> FrameRange {
        let stream = try assets.video(source)
        // Between the first and the last step the direction may turn where a curve gives its progress, and nowhere
        // else.
        let end = max(count - 1, 0)
        let turns = (source.curve?.frames ?? []).filter { 0 < $0 && $0 < end }
        var (first, last): (Int64, Int64) = (.max, 0)
        for step in [0] + turns + [end] {
            try PlanError.step()
            let frame = try exact { () throws(TimeError) in
                let time = try source.start.advanced(
                    by: step,
                    of: frameDuration,
                    speed: source.speed,
                    curve: source.curve
                )
                return try stream.frame(shownAt: time)
            }
            (first, last) = (min(first, frame), max(last, frame))
        }
        if source.blending != nil { last = min(last + 1, max(stream.frameCount - 1, 0)) }
        return FrameRange(start: first, count: last - first + 1)
    }

    private mutating func place(of nested: Int, _ range: FrameRange) throws(PlanError) -> Int {
        let format = assets.format(ofNested: nested)
        var pieces: [SliceInstruction] = []
        let runs = assets.runs(ofNested: nested)
        for run in runs[runs.partitionPoint { $0.frames.end > range.start }...] {
            guard run.frames.start < range.end else { break }
            try PlanError.step()
            let piece = try run.slice(range, frameDuration: format.frameRate.frameDuration)
            pieces.append(try piece.trimmed(frameDuration: format.frameRate.frameDuration))
        }
        let slice = NestedSlice(
            frameRate: format.frameRate,
            size: format.size,
            color: format.color,
            background: format.background,
            frameCount: range.count,
            instructions: try collect(pieces, frameDuration: format.frameRate.frameDuration)
        )
        if let known = slices.firstIndex(of: slice) { return known }
        guard slices.count < Limits.mostTracks else { throw .tooManyNested }
        slices.append(slice)
        return slices.count - 1
    }

    /// Returns `source` with its position in the task, its time counted from the start of the shown frames.
    private func moved(
        _ source: SliceSource?,
        _ frames: FrameRange,
        _ frameDuration: RationalTime,
        _ seen: [Play: FrameRange],
        _ places: [Play: Int]
    ) throws(PlanError) -> SliceSource? {
        guard var source, source.isNested == true else { return source }
        let play = try play(source, frames, frameDuration)
        guard let range = seen[play], let place = places[play] else { return source }
        let rate = assets.format(ofNested: source.asset).frameRate
        try exact { () throws(TimeError) in
            let cut = try rate.time(ofFrame: range.start)
            source.start = try source.start.subtracting(cut)
            try source.appearance?.advanceMasks(by: cut)
        }
        source.asset = place
        return source
    }
}
