package import Foundation
package import Timing

/// Frames of a segment that are copied from a source, packet by packet, and not encoded.
package struct CopiedSpan: Sendable, Hashable, Codable {
    /// The frames, counted from the segment's first.
    package var frames: FrameRange
    /// The position in ``PictureTask/assets``.
    package var asset: Int
    /// libavformat's index of the picture stream.
    package var stream: Int
    /// The shown frame of the stream that is the span's first: an IDR picture, or one that is rewritten as such.
    package var sourceFrame: Int64
    /// The parameter sets with which the pictures are coded: an AVCDecoderConfigurationRecord.
    package var configuration: Data

    package init(frames: FrameRange, asset: Int, stream: Int, sourceFrame: Int64, configuration: Data) {
        self.frames = frames
        self.asset = asset
        self.stream = stream
        self.sourceFrame = sourceFrame
        self.configuration = configuration
    }
}

extension PictureTask {
    /// The number of frames that are copied.
    package var copiedCount: Int64 { (copies ?? []).reduce(0) { $0 + $1.frames.count } }

    /// The number of those among `frames` of the task that are composited.
    func composited(of frames: FrameRange) -> Int64 {
        (copies ?? []).reduce(frames.count) { rest, span in
            rest - max(0, min(frames.end, span.frames.end) - max(frames.start, span.frames.start))
        }
    }
}
