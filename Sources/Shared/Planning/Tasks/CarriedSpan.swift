package import CompositionModel
package import Timing

/// Encoded frames of a segment that keep messages of the source that they show.
package struct CarriedSpan: Sendable, Hashable, Codable {
    /// The frames, counted from the segment's first.
    package var frames: FrameRange
    /// The position in ``PictureTask/assets``.
    package var asset: Int
    /// libavformat's index of the picture stream.
    package var stream: Int
    /// The shown frame of the stream that is the span's first.
    package var sourceFrame: Int64
    /// The kinds of messages that are kept.
    package var kinds: [PictureMessage]

    package init(frames: FrameRange, asset: Int, stream: Int, sourceFrame: Int64, kinds: [PictureMessage]) {
        self.frames = frames
        self.asset = asset
        self.stream = stream
        self.sourceFrame = sourceFrame
        self.kinds = kinds
    }
}
