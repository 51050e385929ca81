public import CompositionModel
public import Timing

/// A piece of a nested edit's picture, used as a source of a task. Frame 0 and source time 0 are at the piece's start.
public struct NestedSlice: Sendable, Hashable, Codable {
    /// The nested edit's frame rate.
    public var frameRate: FrameRate
    /// The size of the nested edit's pictures, in pixels.
    public var size: PictureSize
    /// The colour description of the nested edit's pictures.
    public var color: ColorDescription
    /// The background colour, as `#rrggbb`.
    public var background: String
    /// The number of frames in the piece, at the nested edit's frame rate.
    public var frameCount: Int64
    /// The instructions, which cover `0 ..< frameCount` without gap or overlap.
    public var instructions: [SliceInstruction]

    public init(
        frameRate: FrameRate,
        size: PictureSize,
        color: ColorDescription,
        background: String,
        frameCount: Int64,
        instructions: [SliceInstruction]
    ) {
        self.frameRate = frameRate
        self.size = size
        self.color = color
        self.background = background
        self.frameCount = frameCount
        self.instructions = instructions
    }
}
