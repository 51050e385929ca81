package import CompositionModel
package import Timing

/// A piece of a nested edit's picture, used as a source of a task. Frame 0 and source time 0 are at the piece's start.
package struct NestedSlice: Sendable, Hashable, Codable {
    /// The nested edit's frame rate.
    package var frameRate: FrameRate
    /// The size of the nested edit's pictures, in pixels.
    package var size: PictureSize
    /// The colour description of the nested edit's pictures.
    package var color: ColorDescription
    /// The background colour, as `#rrggbb`.
    package var background: String
    /// The number of frames in the piece, at the nested edit's frame rate.
    package var frameCount: Int64
    /// The instructions, which cover `0 ..< frameCount` without gap or overlap.
    package var instructions: [SliceInstruction]

    package init(
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
