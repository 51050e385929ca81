package import CompositionModel
package import Timing

/// A time range of the picture that one task renders.
package struct PlannedSegment: Sendable, Hashable, Codable {
    /// The segment's frames in the output; 0 is the first rendered frame, also under `--range`.
    package var frames: FrameRange
    /// Why the segment begins where it does.
    package var startBorder: BorderReason
    /// Why the segment ends where it does.
    package var endBorder: BorderReason
    /// The task that renders the segment.
    package var task: PictureTask
    /// The digest of everything that determines the segment's bytes. Equal keys mean equal bytes.
    package var key: ContentDigest
    /// The estimated seconds on one idle core. It orders the queue and feeds the ETA and decides nothing else.
    package var estimatedCost: Double

    package init(
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
