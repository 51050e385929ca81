import Shared

/// A source that plays on through a segment, across instruction borders: its source time at the segment's frame 0 stays
/// the same.
struct Playback: Hashable {
    /// Position in the task's assets.
    let asset: Int
    /// libavformat's stream index.
    let stream: Int
    let offset: RationalTime

    /// Source time shown at the segment's frame `frame`.
    func time(at frame: Int64, frameDuration: RationalTime) throws(TimeError) -> RationalTime {
        try offset.adding(RationalTime(frame, of: frameDuration))
    }
}
