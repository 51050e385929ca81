import CompositionModel
public import Timing

/// The layers that are composited over one range of frames.
public struct SliceInstruction: Sendable, Hashable, Codable {
    /// The range of frames, relative to the start of the segment or nested slice.
    public var frames: FrameRange
    /// The layers from the bottom up; empty shows the background.
    public var layers: [SliceLayer]

    public init(frames: FrameRange, layers: [SliceLayer]) {
        self.frames = frames
        self.layers = layers
    }
}
