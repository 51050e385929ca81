public import CompositionModel
public import Timing

/// A piece of a nested edit's picture, as a source of a task: its frames count from the piece's start, and its source
/// time 0 is there.
public struct NestedSlice: Sendable, Hashable, Codable {
    public var frameRate: FrameRate
    public var size: PictureSize
    public var color: ColorDescription
    /// `#rrggbb`.
    public var background: String
    public var frameCount: Int64
    /// Cover 0 ..< frameCount without hole or overlap.
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
