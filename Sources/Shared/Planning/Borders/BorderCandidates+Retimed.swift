import CompositionModel
import Timing

extension BorderCandidates {
    /// Finds keyframe borders of a source that runs at another speed. Forwards, a border is the first edit frame that
    /// shows a keyframe; backwards, the frame after the last one that shows it, where the keyframe's whole group has
    /// been shown. At most one border, the first, is kept per second of the timeline.
    /// - Parameter speed: The speed of `source`; not 0.
    /// - Throws: ``PlanError/missingFacts(_:)`` or ``PlanError/missingStream(_:stream:)`` for an unknown source,
    ///   ``PlanError/time(_:)`` when a time overflows.
    func keyframes(
        of source: SliceSource,
        at speed: RationalTime,
        in run: SliceInstruction
    ) throws(PlanError) -> [BorderCandidate] {
        let stream = try assets.video(source)
        let end = try source.advanced(by: run.frames.count, frameDuration: rate.frameDuration).start
        var candidates: [BorderCandidate] = []
        for keyframe in try keyframes(of: stream, between: source.start, and: end) {
            try PlanError.step()
            let time = try exact { () throws(TimeError) in try stream.time(ofFrame: keyframe) }
            let offset = try border(at: keyframe, of: stream, source: source)
            guard offset > 0, offset < run.frames.count, isSecondApart(offset, from: candidates.last, in: run),
                try isBorder(keyframe, of: stream, at: offset, source: source)
            else { continue }
            candidates.append(candidate(.keyframe, at: run.frames.start + offset, source: source, time: time))
        }
        return candidates
    }

    /// The keyframes that lie between two source times, in the order in which they are played.
    private func keyframes(
        of stream: VideoStreamFacts,
        between start: RationalTime,
        and end: RationalTime
    ) throws(PlanError) -> [Int64] {
        let (low, high) = try exact { () throws(TimeError) in
            (try stream.firstKeyframe(notBefore: min(start, end)), try stream.firstKeyframe(notBefore: max(start, end)))
        }
        let played = Array(stream.keyframes[low..<max(low, high)])
        return start < end ? played : played.reversed()
    }

    private func isSecondApart(_ offset: Int64, from last: BorderCandidate?, in run: SliceInstruction) -> Bool {
        guard let last else { return true }
        let way = Int128(run.frames.start + offset - last.frame)
        return way * Int128(rate.denominator) >= Int128(rate.numerator)
    }

    /// The offset from the start of the run, in edit frames: forwards the first frame that may show the keyframe,
    /// backwards the frame after the last one that may.
    /// ```
    /// source time    ───(─────K────        ( is a tick before K, where it is not yet seen
    /// forwards            ▲1  2  3
    /// backwards      4 ▲3  2  1
    /// ```
    func border(at keyframe: Int64, of stream: VideoStreamFacts, source: SliceSource) throws(PlanError) -> Int64 {
        try exact { () throws(TimeError) in
            let early = stream.earliness(ofFrame: keyframe)
            let way = try stream.time(ofFrame: keyframe).subtracting(early).subtracting(source.start)
            let isBackwards = source.speed?.isNegative ?? false
            let time = try source.speed.map { speed throws(TimeError) in try way.divided(by: speed) } ?? way
            // The keyframe is shown exactly at its own time, and not yet shown exactly one tick earlier.
            let isSeen = early == .zero
            let offset = try rate.frame(at: time, rounding: isSeen == isBackwards ? .down : .up).value
            return isSeen == isBackwards ? offset + 1 : offset
        }
    }

    /// Whether the frame at `offset` (backwards: the frame before it) really shows the keyframe; a fast source may skip
    /// it.
    func isBorder(
        _ keyframe: Int64,
        of stream: VideoStreamFacts,
        at offset: Int64,
        source: SliceSource
    ) throws(PlanError) -> Bool {
        let isBackwards = source.speed?.isNegative ?? false
        let shown = try source.advanced(by: isBackwards ? offset - 1 : offset, frameDuration: rate.frameDuration).start
        return try exact { () throws(TimeError) in
            guard try shown < stream.time(ofFrame: keyframe + 1) else { return false }
            return try stream.frame(shownAt: shown) == keyframe
        }
    }
}
