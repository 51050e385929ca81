import CompositionModel
import Timing

// A segment whose speed changes.
extension TrackLayout {
    /// The extent of a segment whose speed changes, with its time-remap curves.
    /// - Parameter first: the position of `start` in the track's units.
    /// - Returns: nil after a finding.
    mutating func ramp(
        _ keys: [EditSpeedKey],
        of segment: EditSegment,
        _ source: ResolvedSource,
        from start: RationalTime,
        first: Int64,
        snap: SnapRule
    ) throws(TimeError) -> Extent? {
        guard let speed = property(keys) else { return nil }
        let (end, length): (Int64, RationalTime)
        if let written = segment.duration {
            guard let seconds = grid.seconds(written) else { return nil }
            length = try grid.placed(seconds, snap: snap, mark: written.mark)
            end = try grid.position(start.adding(length))
            guard end > first else {
                log.error(written.mark, .tooShort, "\(TimeWords.seconds(seconds)) is shorter than one \(unitName)")
                return nil
            }
        } else {
            log.error(segment.mark, .noLength, "a segment whose speed changes says how long it is", suggestion: hint)
            return nil
        }
        let frameDuration = grid.rate.frameDuration
        let curve = try RetimeCurve(
            integral: speed,
            count: frames(in: end - first, length),
            frameDuration: frameDuration,
            within: reach(of: source),
            steps: &allowance.rampSteps
        )
        guard let curve else { return tooMany(segment) }
        guard try isWithin(source, curve, segment) else { return nil }
        let isHeard = source.streams.audio != nil && segment.sound?.value != false
        let played = try RationalTime(end - first, of: grid.unit)
        let remap =
            isHeard
            ? try TimeRemapCurve(
                integral: speed,
                length: played,
                frameDuration: frameDuration,
                steps: &allowance.rampSteps
            ) : nil
        guard remap != nil || !isHeard else { return tooMany(segment) }
        let time = try grid.kind == .audio ? start.adding(length) : RationalTime(end, of: grid.unit)
        return Extent(start: first, end: end, time: time, curve: curve, remap: remap)
    }

    func tooMany(_ segment: EditSegment) -> Extent? {
        // A computation that was stopped says nothing of the edit.
        guard !Task.isCancelled else { return nil }
        let most = "speeds change over more than \(Limits.rampFrames) frames of the edit and all nested in it"
        let message = "\(most); write a constant speed where it hardly changes"
        log.error(segment.speed?.mark ?? segment.mark, .tooMany, message)
        return nil
    }

    /// The number of frames whose starts lie in the segment; for sound one more, at whose start it may end.
    private func frames(in count: Int64, _ length: RationalTime) throws(TimeError) -> Int64 {
        guard grid.kind == .audio else { return count }
        return try length.count(of: grid.rate.frameDuration, rounding: .down).value + 1
    }

    /// The numbers of a curve that may still lie in the source, from the segment's start; ``isWithin(_:_:_:)`` looks
    /// exactly.
    private func reach(of source: ResolvedSource) -> ClosedRange<Int64> {
        func numbers(_ time: RationalTime) throws(TimeError) -> Int64 {
            let unit = try grid.rate.frameDuration.divided(by: RationalTime(whole: RetimeCurve.unit))
            return try time.count(of: unit, rounding: .up).value
        }
        let first = (try? numbers(source.start)) ?? .max
        let last = (try? numbers(source.end.subtracting(source.start))) ?? .max
        return -max(0, first)...max(0, last)
    }

    private var hint: String { "\"duration\": \"5s\"" }

    /// The keys with their times in seconds; nil after a finding.
    private func property(_ keys: [EditSpeedKey]) -> AnimatedProperty? {
        var resolved: [AnimationKey] = []
        for key in keys {
            guard let at = grid.seconds(key.at) else { return nil }
            if let last = resolved.last, at < last.at {
                log.error(key.at.mark, .speed, "this key is before the one above it; write keys in order")
                return nil
            }
            resolved.append(AnimationKey(at: at, value: [key.millionths], ease: key.ease))
        }
        return AnimatedProperty(keys: resolved)
    }

    private func isWithin(
        _ source: ResolvedSource,
        _ curve: RetimeCurve,
        _ segment: EditSegment
    ) throws(TimeError) -> Bool {
        let ends = try curve.ends(from: source.start, frameDuration: grid.rate.frameDuration)
        let mark = segment.duration?.mark ?? segment.mark
        if ends[0].isNegative {
            let numbers = "\(TimeWords.seconds(ends[0])), before the start of asset \"\(source.name)\""
            log.error(mark, .pastEnd, "the changing speed leads to \(numbers)")
            return false
        }
        // Sound may end where its source does, as far as that can be told: half a frame.
        let half = try grid.rate.frameDuration.divided(by: RationalTime(whole: 2))
        let isInside = try grid.kind == .audio ? ends[1].subtracting(source.end) <= half : ends[1] < source.end
        guard isInside else {
            let numbers = "\(TimeWords.seconds(ends[1])), but asset \"\(source.name)\" ends at"
            log.error(mark, .pastEnd, "the changing speed leads to \(numbers) \(TimeWords.seconds(source.end))")
            return false
        }
        return true
    }
}
