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
        let second = try exact { () throws(TimeError) in
            try rate.frame(at: RationalTime(whole: 1), rounding: .up).value
        }
        var keyframes = try PlayedKeyframes(of: stream, from: source.start, to: end)
        var candidates: [BorderCandidate] = []
        // The first offset at which the next border may lie.
        var earliest: Int64 = 1
        while earliest < run.frames.count, let keyframe = keyframes.next() {
            try PlanError.step()
            let offset = try border(at: keyframe, of: stream, source: source)
            guard offset < run.frames.count else { break }
            if offset >= earliest, try isBorder(keyframe, of: stream, at: offset, source: source) {
                let time = try exact { () throws(TimeError) in try stream.time(ofFrame: keyframe) }
                candidates.append(candidate(.keyframe, at: run.frames.start + offset, source: source, time: time))
                earliest = offset + second
            }
            // A keyframe that is played before the frame on screen here lies too near, or is never shown.
            let here = min(max(offset, earliest - 1), run.frames.count - 1)
            let time = try source.advanced(by: here, frameDuration: rate.frameDuration).start
            keyframes.skip(to: try exact { () throws(TimeError) in try stream.frame(shownAt: time) })
        }
        return candidates
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
