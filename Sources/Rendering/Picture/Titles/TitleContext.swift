import CompositionModel
import Pixels
import Planning

/// What a layer of a title is drawn in: the frame, and the groups around it.
struct TitleContext {
    /// The size of the edit's frame, in which the title's lengths are given.
    let editSize: PictureSize
    /// Pixels of the task for each pixel of the edit.
    let scale: TitleScale
    /// Maps the pixels of the group around the layer to those of the frame, both in the task's.
    var place: Projection
    /// The opacity of all groups around the layer together.
    var opacity: BlendWeight
    /// The frame that is being made.
    let frame: FrameContext

    /// The context of the outermost layers of `title`.
    /// - Parameter size: the task's frame.
    init(_ title: SliceTitle, size: PictureSize, context: FrameContext) {
        editSize = title.frame
        scale = TitleScale(
            x: Double(size.width) / Double(title.frame.width),
            y: Double(size.height) / Double(title.frame.height)
        )
        place = .identity
        opacity = BlendWeight(value: 65536)
        frame = context
    }
}

/// Pixels of the task for each pixel of the edit.
struct TitleScale: Hashable {
    let x: Double
    let y: Double
}
