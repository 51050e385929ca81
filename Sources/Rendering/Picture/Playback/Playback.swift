import CompositionModel
import Planning
import Timing

/// A source that plays on through a segment, across instruction borders: its source time at the segment's frame 0 and
/// its speed stay the same.
struct Playback: Hashable {
    /// Position in the task's assets, or of a nested edit in its nested ones.
    let asset: Int
    let isNested: Bool
    /// libavformat's stream index.
    let stream: Int
    let offset: RationalTime
    /// The speed of the source, see ``SliceSource/speed``.
    let speed: RationalTime?
    /// The time-remap curve of ``SliceSource/curve``; it begins at frame `curveStart` of the segment, where `offset` is
    /// shown.
    let curve: RetimeCurve?
    let curveStart: Int64
    /// The blending of frames, see ``SliceSource/blending``.
    let blending: FrameBlending?

    /// - Parameter instruction: the frames of the segment that the instruction covers.
    /// - Throws: ``TimeError`` where a time cannot be represented.
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

    /// Whether the source runs backwards from this frame to the next one.
    func isBackwards(in context: FrameContext) -> Bool {
        guard let curve else { return speed?.isNegative ?? false }
        return curve.progress(at: context.frame - curveStart + 1) < curve.progress(at: context.frame - curveStart)
    }

    /// The source time that the frame shows.
    /// - Throws: ``TimeError`` where it cannot be represented.
    func time(in context: FrameContext) throws(TimeError) -> RationalTime {
        try offset.advanced(
            by: context.frame - curveStart,
            of: context.frameDuration,
            speed: speed,
            curve: curve
        )
    }
}

extension Playback {
    /// The playback of a mask that does not follow its clip's time: it is read at any time. Masks with other offsets
    /// have readers of their own.
    /// - Throws: ``TimeError`` where the offset cannot be represented.
    init(mask source: EffectSource) throws(TimeError) {
        let start = source.offset ?? .zero
        let slice = SliceSource(asset: source.asset, stream: source.stream ?? 0, start: start, fit: .contain)
        try self.init(slice, of: FrameRange(start: 0, count: 1), frameDuration: RationalTime(whole: 1))
    }
}
