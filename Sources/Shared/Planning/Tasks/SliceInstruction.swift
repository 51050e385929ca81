import CompositionModel
public import Timing

public struct SliceInstruction: Sendable, Hashable, Codable {
    /// Segment-relative.
    public var frames: FrameRange
    /// From the bottom up.
    public var layers: [SliceLayer]

    public init(frames: FrameRange, layers: [SliceLayer]) {
        self.frames = frames
        self.layers = layers
    }
}
