// A segment whose speed changes.
extension TrackLayout {
    /// - Parameter first: position of `start`.
    mutating func ramp(
        _ keys: [EditSpeedKey],
        of segment: EditSegment,
        _ source: ResolvedSource,
        from start: RationalTime,
        first: Int64,
        snap: SnapRule
    ) throws(TimeError) -> Extent? {
        guard let speed = property(keys) else { return nil }
        guard grid.kind == .video else {
            log.error(segment.speed?.mark ?? segment.mark, "speed", "sound cannot follow a speed that changes")
            return nil
        }
        let end: Int64
        if let written = segment.duration {
            guard let seconds = grid.seconds(written) else { return nil }
            end = try grid.position(start.adding(grid.placed(seconds, snap: snap, mark: written.mark)))
            guard end > first else {
                log.error(written.mark, "too-short", "\(TimeWords.seconds(seconds)) is shorter than one \(unitName)")
                return nil
            }
        } else {
            log.error(segment.mark, "no-length", "a segment whose speed changes says how long it is", suggestion: hint)
            return nil
        }
        let curve = try RetimeCurve(
            integral: speed,
            count: end - first,
            frameDuration: grid.unit,
            within: ways(of: source),
            steps: &rampSteps
        )
        guard let curve else {
            let message = "speeds change over more than \(Limits.rampFrames) frames of the edit"
            log.error(segment.speed?.mark ?? segment.mark, "too-many", message)
            return nil
        }
        guard try isWithin(source, curve, segment) else { return nil }
        return Extent(start: first, end: end, time: try RationalTime(end, of: grid.unit), curve: curve)
    }

    /// How far a curve may lead before it has surely left the source. ``isWithin(_:_:_:)`` looks exactly.
    private func ways(of source: ResolvedSource) -> ClosedRange<Int64> {
        func ways(_ time: RationalTime) throws(TimeError) -> Int64 {
            try time.count(of: grid.unit.divided(by: RationalTime(whole: RetimeCurve.unit)), rounding: .up).value
        }
        let first = (try? ways(source.start)) ?? .max
        let last = (try? ways(source.end.subtracting(source.start))) ?? .max
        return -max(0, first)...max(0, last)
    }

    private var hint: String { "\"duration\": \"5s\"" }

    /// The keys with their times in seconds; nil after a finding.
    private func property(_ keys: [EditSpeedKey]) -> AnimatedProperty? {
        var resolved: [AnimationKey] = []
        for key in keys {
            guard let at = grid.seconds(key.at) else { return nil }
            if let last = resolved.last, at < last.at {
                log.error(key.at.mark, "speed", "this key is before the one above it; write keys in order")
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
        let ends = try curve.ends(from: source.start, frameDuration: grid.unit)
        let mark = segment.duration?.mark ?? segment.mark
        if ends[0].isNegative {
            let numbers = "\(TimeWords.seconds(ends[0])), before the start of asset \"\(source.name)\""
            log.error(mark, "past-end", "the changing speed leads to \(numbers)")
            return false
        }
        guard ends[1] < source.end else {
            let numbers = "\(TimeWords.seconds(ends[1])), but asset \"\(source.name)\" ends at"
            log.error(mark, "past-end", "the changing speed leads to \(numbers) \(TimeWords.seconds(source.end))")
            return false
        }
        return true
    }
}
