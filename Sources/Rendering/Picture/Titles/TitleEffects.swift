import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// Applies appearance and effects to the elements and groups of a task's titles. What was made is kept for the next
/// frame.
final class TitleEffects {
    /// A drawn picture with transparent pixels around it.
    private struct Padding {
        let source: Picture
        let margin: (x: Int, y: Int)
        let padded: DrawnPicture
    }

    private let size: PictureSize
    private let library: EffectLibrary
    private let effects: EffectPainter
    private var paddings = FrameCache<Padding>()

    /// - Parameter library: where tables and masks are read.
    init(task: PictureTask, library: EffectLibrary) {
        size = task.size
        self.library = library
        effects = EffectPainter(color: task.color)
    }

    /// Forgets what the frame that ends here has not used.
    func endFrame() {
        paddings.endFrame()
        effects.endFrame()
    }

    /// `element` as its layer shows it.
    /// - Parameters:
    ///   - context: what is around the element; its opacity is the layer's.
    ///   - time: the time of the layer.
    /// - Throws: ``RenderError`` of a mask or table; ``MediaError``.
    func layer(
        _ element: TitleElement,
        _ state: LayerState,
        _ motion: MotionState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> PaintedLayer {
        let (box, detail) = (element.box, element.detail)
        let drawn = try changed(element, state, in: context, at: time)
        let own =
            state.projection(of: box, motion: motion, frame: size) * .scale(x: 1 / detail.x, y: 1 / detail.y)
            * .translation(x: drawn.x, y: drawn.y)
        var layer = PaintedLayer(
            picture: drawn.picture,
            projection: context.place * own,
            crop: state.crop(of: box, x: drawn.x, y: drawn.y, detail: detail),
            opacity: context.opacity,
            blend: state.blend.function
        )
        layer.shadows = try effects.shadows(of: layer, state.effects, grain: detail)
        return layer
    }

    /// A group that was put together, as its layer shows it.
    /// - Parameters:
    ///   - context: where the group is placed, and its opacity.
    ///   - time: the time of the layer.
    /// - Throws: ``RenderError`` of a mask or table; ``MediaError``.
    func layer(
        _ group: GroupPicture,
        _ state: LayerState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> PaintedLayer {
        try effects.layer(
            group,
            in: state,
            projection: context.place,
            opacity: context.opacity,
            blend: state.blend,
            frame: size,
            material: try material(of: state, in: context, at: time)
        )
    }

    /// The element's picture after its effects, with room for what they blur.
    private func changed(
        _ element: TitleElement,
        _ state: LayerState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> DrawnPicture {
        guard !state.effects.isEmpty else { return element.drawn }
        let detail = element.detail
        let reach = state.effects.filter { $0.name == .blur }.reduce(0) { $0 + 3 * $1[.radius] }
        let margin = (x: TitleEffects.margin(reach * detail.x), y: TitleEffects.margin(reach * detail.y))
        let drawn = try padded(element.drawn, margin)
        let picture = try effects.apply(
            state.effects,
            to: drawn.picture,
            grain: detail,
            origin: (drawn.x / detail.x, drawn.y / detail.y),
            material: try material(of: state, in: context, at: time)
        )
        return DrawnPicture(x: drawn.x, y: drawn.y, picture: picture)
    }

    private func material(
        of state: LayerState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> EffectMaterial {
        try library.material(of: state.effects, fit: .contain, itemTime: time, in: context.frame)
    }

    /// An even number of pixels, so that chroma falls on chroma.
    private static func margin(_ reach: Double) -> Int { Int(min(reach, 2000).rounded(.up) / 2) * 2 }

    /// `drawn` with transparent pixels on all sides.
    private func padded(_ drawn: DrawnPicture, _ margin: (x: Int, y: Int)) throws -> DrawnPicture {
        guard margin.x > 0 || margin.y > 0 else { return drawn }
        let known = paddings.first { $0.source === drawn.picture && $0.margin == margin }
        if let known { return known.padded }
        let picture = try drawn.picture.padded(x: margin.x, y: margin.y)
        let padded = DrawnPicture(x: drawn.x - Double(margin.x), y: drawn.y - Double(margin.y), picture: picture)
        paddings.insert(Padding(source: drawn.picture, margin: margin, padded: padded), byteCount: picture.byteCount)
        return padded
    }
}
