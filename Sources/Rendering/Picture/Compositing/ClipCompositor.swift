import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// Draws single clips: the picture of their source at the frame's time, fitted, with their appearance and effects.
final class ClipCompositor {
    private let size: PictureSize
    private let color: ColorDescription
    private let sources: SourcePictures
    private let library: EffectLibrary
    private let canvases: CanvasPainter
    private var painters: [Clip: ClipPainter] = [:]

    /// - Parameters:
    ///   - sources: where the clips' pictures are read.
    ///   - library: where the tables and masks of their effects are read.
    init(task: PictureTask, sources: SourcePictures, library: EffectLibrary, canvases: CanvasPainter) {
        (size, color) = (task.size, task.color)
        (self.sources, self.library, self.canvases) = (sources, library, canvases)
    }

    /// Forgets what is kept of clips that are not in `clips`.
    func keep(_ clips: Set<Clip>) { painters = painters.filter { clips.contains($0.key) } }

    /// Forgets what the frame that ends here has not used.
    func endFrame() { for painter in painters.values { painter.endFrame() } }

    /// `clip` over `canvas`; without a clip it is `canvas`.
    /// - Throws: ``RenderError`` of a source, which it names; ``MediaError``.
    func draw(_ clip: LayerClip?, in context: FrameContext, over canvas: Canvas) throws -> Canvas {
        guard let clip else { return canvas }
        if let placed = try placed(clip, in: context) { return try canvases.draw(placed, over: canvas) }
        guard let layer = try layer(of: clip, in: context) else { return canvas }
        return try canvases.draw(layer, over: canvas)
    }

    /// `clip` as a layer of its own.
    /// - Returns: nil for a clip of which nothing is seen.
    /// - Throws: ``RenderError`` of a source, which it names; ``MediaError``.
    func layer(of clip: LayerClip, in context: FrameContext) throws -> PaintedLayer? {
        let track = context.isTrackAlone ? nil : try clip.trackState(in: context)
        let state = try clip.state(in: context) ?? .plain
        if state.opacity.isFirst || track?.opacity.isFirst ?? false { return nil }
        let picture = try picture(of: clip, in: context)
        let painted = try painter(for: clip.clip).layer(
            picture,
            in: state,
            frame: size,
            material: try material(of: clip, state, in: context)
        )
        return track.map { painted.on($0, frame: size) } ?? painted
    }

    /// The first picture of `map`, filled to the frame.
    /// - Throws: ``RenderError`` of its source, which it names; ``MediaError``.
    func picture(of map: TransitionMap, in context: FrameContext) throws -> Picture {
        let source = SliceSource(asset: map.asset, stream: map.stream, start: .zero, fit: .fill)
        let frames = FrameRange(start: context.frame, count: 1)
        let clip = try Clip(source, of: frames, frameDuration: context.frameDuration)
        let picture = try sources.picture(of: clip.playback, at: .zero, in: context)
        return try painter(for: clip).fitter.place(picture).picture
    }

    /// The picture of a clip that is only fitted; nil for one that more is done to.
    private func placed(_ clip: LayerClip, in context: FrameContext) throws -> PlacedPicture? {
        let track = context.isTrackAlone ? nil : try clip.trackState(in: context)
        if track != nil { return nil }
        if let state = try clip.state(in: context), state.moves || !state.isPlain { return nil }
        let picture = try picture(of: clip, in: context)
        let fitter = try painter(for: clip.clip).fitter
        return fitter.isSeenThrough(picture) || fitter.isBeyondLimits ? nil : try fitter.place(picture)
    }

    private func picture(of clip: LayerClip, in context: FrameContext) throws -> Picture {
        let playback = clip.clip.playback
        return try sources.picture(of: playback, at: playback.time(in: context), in: context)
    }

    private func material(
        of clip: LayerClip,
        _ state: LayerState,
        in context: FrameContext
    ) throws -> EffectMaterial {
        guard state.effects.contains(where: { $0.source != nil }) else { return EffectMaterial() }
        return try library.material(
            of: state.effects,
            fit: clip.clip.fit,
            itemTime: try clip.itemTime(in: context),
            clip: ClipState(time: try clip.clip.playback.time(in: context), masks: clip.masks),
            in: context
        )
    }

    private func painter(for clip: Clip) throws(RenderError) -> ClipPainter {
        if let known = painters[clip] { return known }
        let facts = try sources.facts(of: clip.playback)
        let fitter = LayerFitter(stream: facts, fit: clip.fit, frame: size, color: color)
        let painter = ClipPainter(fitter: fitter, color: color)
        painters[clip] = painter
        return painter
    }
}
