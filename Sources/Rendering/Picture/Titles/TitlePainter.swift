import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// Draws the titles of a task: a tree of layers, each an element (a text, a shape, an image, subtitles) or a group.
/// ```
/// title ─► layer ─┬─ element   TitleElementPainter ─► TitleEffects ─┐
///                 └─ group ─► layers                                ├─► painted layers, from the bottom up
///                       └─ put together where it is mixed as one ───┘
/// ```
final class TitlePainter {
    private let size: PictureSize
    private let canvases: CanvasPainter
    private let elements: TitleElementPainter
    private let effects: TitleEffects

    /// - Parameters:
    ///   - sources: the assets of the task, in the order of `task.assets`; fonts are among them.
    ///   - pictures: where the images of titles are read.
    init(
        task: PictureTask,
        sources: [RenderSource],
        pictures: SourcePictures,
        canvases: CanvasPainter,
        library: EffectLibrary
    ) {
        size = task.size
        self.canvases = canvases
        elements = TitleElementPainter(task: task, sources: sources, pictures: pictures)
        effects = TitleEffects(task: task, library: library)
    }

    /// `title` over `canvas`.
    /// - Throws: ``RenderError`` `glyph_missing`, `invalid_task`, or of a source; `TitleError`; ``MediaError``.
    func draw(_ title: SliceTitle, in context: FrameContext, over canvas: Canvas) throws -> Canvas {
        let time = try (title.itemTime ?? .zero).adding(RationalTime(context.step, of: context.frameDuration))
        let whole = TitleContext(title, size: size, context: context)
        let layers = try title.layers.flatMap { try self.layers($0, in: whole, at: time) }
        return try layers.reduce(canvas) { try canvases.draw($1, over: $0) }
    }

    /// Forgets the texts that no title of `titles` shows.
    func keep(_ titles: [SliceTitle]) { elements.keep(titles) }

    /// Forgets what the frame that ends here has not used.
    func endFrame() {
        elements.endFrame()
        effects.endFrame()
    }

    /// - Parameter time: the time of what encloses the layer.
    private func layers(_ layer: TitleLayer, in context: TitleContext, at time: RationalTime) throws -> [PaintedLayer] {
        let time = try layer.timing?.time(at: time) ?? time
        let state = LayerState(layer.appearance ?? LayerAppearance(), at: time)
        let motion = MotionState(layer.motion, at: time)
        var context = context
        context.opacity = motion.opacity(with: state.opacity).through(context.opacity)
        if context.opacity.isFirst { return [] }
        if let group = layer.group { return try layers(group, state, motion, in: context, at: time) }
        return try elements.element(layer, motion, in: context, at: time).map { element in
            [try effects.layer(element, state, motion, in: context, at: time)]
        } ?? []
    }

    /// The layers of a group; one that is cut, changed, transparent or blended gives one layer.
    private func layers(
        _ group: [TitleLayer],
        _ state: LayerState,
        _ motion: MotionState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> [PaintedLayer] {
        let frame = TitleRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        var outer = context
        outer.place = context.place * state.projection(of: frame, motion: motion, frame: size)
        if state.changesPicture {
            return try changed(group, state, in: outer, at: time).map { [$0] } ?? []
        }
        var inner = outer
        let isMixed = !outer.opacity.isSecond || state.blend != .normal
        if isMixed { inner.opacity = BlendWeight(value: 65536) }
        let layers = try group.flatMap { try self.layers($0, in: inner, at: time) }
        guard isMixed, !layers.isEmpty else { return layers }
        // What lies on each other in a group is put together first, so that nothing shines through it.
        if layers.count == 1, layers[0].blend == .normal {
            return [layers[0].mixed(outer.opacity, state.blend.function)]
        }
        return [canvases.whole(try canvases.flatten(layers), opacity: outer.opacity, blend: state.blend.function)]
    }

    /// A group that is cut or changed: it is drawn in the frame by itself, and then placed.
    /// - Parameter context: where the group is placed, and how transparent it is.
    private func changed(
        _ group: [TitleLayer],
        _ state: LayerState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> PaintedLayer? {
        var inner = context
        (inner.place, inner.opacity) = (.identity, BlendWeight(value: 65536))
        let layers = try group.flatMap { try self.layers($0, in: inner, at: time) }
        if layers.isEmpty { return nil }
        return try effects.layer(canvases.flatten(layers), state, in: context, at: time)
    }
}
