package import Timing

/// A number of consecutive samples per channel of a timeline.
package struct SampleRange: Sendable, Hashable, Codable {
    /// The number of the first sample, counted from 0 at the timeline's start.
    package var start: Int64
    package var count: Int64

    package init(start: Int64, count: Int64) {
        self.start = start
        self.count = count
    }
}

/// The part of a timeline that an output renders.
package struct OutputRange: Sendable, Hashable {
    package var frames: FrameRange
    /// The samples of a timeline without picture, which need not begin and end with a frame; nil means those of
    /// ``frames``.
    package var samples: SampleRange?

    package init(frames: FrameRange, samples: SampleRange? = nil) {
        self.frames = frames
        self.samples = samples
    }
}
