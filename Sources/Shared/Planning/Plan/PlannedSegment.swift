public import CompositionModel
public import Timing

/// A time range that is rendered as one.
public struct PlannedSegment: Sendable, Hashable, Codable {
    /// Frames of the output (0 is the first frame that is rendered, also under `--range`).
    public var frames: FrameRange
    public var startBorder: BorderReason
    public var endBorder: BorderReason
    public var task: PictureTask
    /// Digest of all that determines the segment's bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// Seconds of one idle core, roughly: orders the queue and feeds the ETA, decides nothing else.
    public var estimatedCost: Double

    public init(
        frames: FrameRange,
        startBorder: BorderReason,
        endBorder: BorderReason,
        task: PictureTask,
        key: ContentDigest,
        estimatedCost: Double
    ) {
        self.frames = frames
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.task = task
        self.key = key
        self.estimatedCost = estimatedCost
    }
}
