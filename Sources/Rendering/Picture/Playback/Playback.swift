import Shared

/// A source that plays on through a segment, across instruction borders: its source time at the segment's frame 0 and
/// its speed stay the same.
struct Playback: Hashable {
    /// Position in the task's assets, or of a nested edit in its nested ones.
    let asset: Int
    let isNested: Bool
    /// libavformat's stream index.
    let stream: Int
    let offset: RationalTime
    /// As ``SliceSource/speed``.
    let speed: RationalTime?
    /// As ``SliceSource/curve``; it begins at frame `curveStart` of the segment, where `offset` is shown.
    let curve: RetimeCurve?
    let curveStart: Int64
    /// As ``SliceSource/blending``.
    let blending: FrameBlending?

    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        asset = source.asset
        stream = source.stream
        isNested = source.isNested ?? false
        blending = source.blending
        speed = source.speed
        curve = source.curve
        curveStart = source.curve == nil ? 0 : instruction.start
        offset = try source.start.advanced(
            by: curveStart - instruction.start,
            of: frameDuration,
            speed: source.speed
        )
    }

    /// Whether the source runs backwards after the segment's frame `frame`.
    func isBackwards(at frame: Int64) -> Bool {
        guard let curve else { return speed?.isNegative ?? false }
        return curve.way(at: frame - curveStart + 1) < curve.way(at: frame - curveStart)
    }

    /// Source time shown at the segment's frame `frame`.
    func time(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try offset.advanced(by: frame - curveStart, of: frameDuration, speed: speed, curve: curve)
    }
}
