import Shared

/// A source that plays on through a segment, across instruction borders: its source time at the segment's frame 0 and its
/// speed stay the same.
struct Playback: Hashable {
    /// Position in the task's assets.
    let asset: Int
    /// libavformat's stream index.
    let stream: Int
    let offset: RationalTime
    /// As ``SliceSource/speed``.
    let speed: RationalTime?

    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        asset = source.asset
        stream = source.stream
        speed = source.speed
        offset = try source.start.advanced(by: -instruction.start, of: frameDuration, speed: source.speed)
    }

    var isBackwards: Bool { speed?.isNegative ?? false }

    /// Source time shown at the segment's frame `frame`.
    func time(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try offset.advanced(by: frame, of: frameDuration, speed: speed)
    }
}
