import Shared

/// A source that plays on through a segment, across instruction borders: its source time at the segment's frame 0 stays
/// the same.
struct Clip: Hashable {
    /// Position in the task's assets.
    let asset: Int
    /// libavformat's stream index.
    let stream: Int
    let offset: RationalTime
    let fit: Fit

    init(_ source: SliceSource, of instruction: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        asset = source.asset
        stream = source.stream
        offset = try source.start.subtracting(RationalTime(instruction.start, of: frameDuration))
        fit = source.fit
    }

    /// Source time shown at the segment's frame `frame`.
    func time(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try offset.adding(RationalTime(frame, of: frameDuration))
    }
}
