import CompositionModel
import Timing

// How long a segment is, and how fast its source runs in that time.
extension TrackLayout {
    struct Extent {
        var start: Int64
        var end: Int64
        /// Exact seconds of the end.
        var time: RationalTime
        /// Where the speed changes.
        var curve: RetimeCurve?
        /// The same for its sound; nil where nothing is heard.
        var remap: TimeRemapCurve?
    }

    /// Source seconds for a second of the timeline: as written, or what makes `range` as long as `duration`; 0 for a
    /// frame that is held.
    /// - Returns: nil after a finding.
    func speed(of segment: EditSegment, _ source: ResolvedSource, snap: SnapRule) throws(TimeError) -> RationalTime? {
        if source.isHeld { return .zero }
        let written = segment.speed?.value.constant
        guard let range = segment.range, let duration = segment.duration else {
            return written ?? RationalTime(whole: 1)
        }
        guard let path = grid.seconds(range.duration), let seconds = grid.seconds(duration) else { return nil }
        let length = try grid.placed(seconds, snap: snap, mark: duration.mark)
        guard length > .zero else { return written ?? RationalTime(whole: 1) }
        let fitted = try path.divided(by: length)
        guard Limits.allows(speed: fitted) else {
            let numbers = "\(TimeWords.seconds(path)) in \(TimeWords.seconds(length)) is speed \(fitted)"
            let range = "speeds are from \(Limits.speeds.lowerBound) to \(Limits.speeds.upperBound)"
            log.error(duration.mark, .speed, "\(numbers), but \(range)")
            return nil
        }
        guard let written else { return fitted }
        guard try written.magnitude() == fitted else {
            let numbers = "\"range\" and \"duration\" say \(fitted), \"speed\" says \(written)"
            log.error(segment.speed?.mark ?? segment.mark, .speed, "\(numbers); leave one of the three out")
            return nil
        }
        return written
    }

    /// The source time of the first frame or sample: the last of what is played when it runs backwards.
    /// ```
    /// source    in ├──┬──┬──┬──┤ in + count × unit × |speed|
    /// speed −1      3  2  1  0
    /// ```
    func firstShown(of source: ResolvedSource, at speed: RationalTime, count: Int64) throws(TimeError) -> RationalTime {
        guard speed.isNegative else { return source.start }
        return try source.start.advanced(by: count - 1, of: grid.unit, speed: speed.magnitude())
    }

    /// The places of the segment's first and last frame or sample.
    /// - Returns: nil after a finding.
    mutating func extent(
        of segment: EditSegment,
        _ source: ResolvedSource,
        at speed: RationalTime,
        from start: RationalTime,
        snap: SnapRule
    ) throws(TimeError) -> Extent? {
        let first = try grid.position(start)
        if !source.isHeld, case .ramp(let keys) = segment.speed?.value {
            return try ramp(keys, of: segment, source, from: start, first: first, snap: snap)
        }
        guard let written = segment.duration ?? segment.range?.duration else {
            return try implied(segment, source, at: speed, from: start, first: first)
        }
        guard var seconds = grid.seconds(written) else { return nil }
        let pace = segment.duration == nil && speed != .zero ? try speed.magnitude() : RationalTime(whole: 1)
        if pace != RationalTime(whole: 1) {
            seconds = try seconds.divided(by: pace)
            guard grid.isWithinLimits(seconds, mark: written.mark) else { return nil }
        }
        let most = try frames(left: source, at: speed)
        let placed = try grid.placed(seconds, snap: snap, mark: written.mark, within: 1...most, at: pace)
        let time = try start.adding(placed)
        let end = try grid.position(time)
        guard end > first else {
            log.error(written.mark, .tooShort, "\(TimeWords.seconds(seconds)) is shorter than one \(unitName)")
            return nil
        }
        let length = grid.kind == .video ? try RationalTime(end - first, of: grid.unit) : seconds
        try checkEnd(of: source, at: speed, length: length, mark: written.mark)
        return Extent(start: first, end: end, time: time)
    }

    /// The frames of the edit that the source has, as far as ``checkEnd(of:at:length:mark:)`` lets them be asked for.
    private func frames(left source: ResolvedSource, at speed: RationalTime) throws(TimeError) -> Int64 {
        guard grid.kind == .video, !source.isHeld, speed != .zero else { return .max }
        let rest = try source.end.subtracting(source.start).divided(by: speed.magnitude())
        let half = try grid.rate.frameDuration.divided(by: RationalTime(whole: 2))
        return max(1, try grid.rate.frame(at: rest.adding(half), rounding: .down).value)
    }

    /// The extent to the source's end: whole frames of picture, rounded half away from zero; all samples of sound.
    private func implied(
        _ segment: EditSegment,
        _ source: ResolvedSource,
        at speed: RationalTime,
        from start: RationalTime,
        first: Int64
    ) throws(TimeError) -> Extent? {
        let rest = try source.end.subtracting(source.start)
        let length = try speed == .zero ? rest : rest.divided(by: speed.magnitude())
        guard grid.isWithinLimits(length, mark: segment.mark) else { return nil }
        if grid.kind == .audio {
            let time = try start.adding(length)
            let end = try grid.position(time)
            if end > first { return Extent(start: first, end: end, time: time) }
        } else {
            let count = try length.count(of: grid.unit).value
            let end = first + count
            if count > 0 { return Extent(start: first, end: end, time: try RationalTime(end, of: grid.unit)) }
        }
        let left = "only \(TimeWords.seconds(length)) of asset \"\(segment.asset.value)\" are left there"
        log.error(segment.firstShown?.mark ?? segment.mark, .tooShort, "\(left), less than one \(unitName)")
        return nil
    }

    /// A source may end up to half a frame of the edit too early: rounding its length gave that.
    private func checkEnd(
        of source: ResolvedSource,
        at speed: RationalTime,
        length: RationalTime,
        mark: SourceMark
    ) throws(TimeError) {
        guard !source.isHeld else { return }
        let size = try speed.magnitude()
        let path = try length.multiplied(by: size)
        let end = try source.start.adding(path)
        let half = try grid.rate.frameDuration.divided(by: RationalTime(whole: 2)).multiplied(by: size)
        guard try end.subtracting(source.end) > half else { return }
        let rest = try source.end.subtracting(source.start)
        let times = TimeWords.distinct(path, source.start, end, source.end, rest)
        let asset = "asset \"\(source.name)\""
        guard source.start > .zero else {
            return log.error(mark, .pastEnd, "\(times[0]) are wanted, but \(asset) has only \(times[3])")
        }
        let wanted = "\(times[0]) from \(times[1]) on reach \(times[2])"
        log.error(mark, .pastEnd, "\(wanted), but \(asset) ends at \(times[3]), after \(times[4])")
    }
}
