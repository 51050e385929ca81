import CompositionModel
import Media
import Pixels
import Planning
import Timing

/// Draws the layers of a frame that show clips: a clip, or a transition between two, with the appearance of their
/// track.
final class LayerCompositor {
    private let size: PictureSize
    private let clips: ClipCompositor
    private let library: EffectLibrary
    private let canvases: CanvasPainter
    private let stage: TransitionStage
    /// The effects of tracks.
    private let effects: EffectPainter

    init(task: PictureTask, clips: ClipCompositor, library: EffectLibrary, canvases: CanvasPainter) {
        size = task.size
        (self.clips, self.library, self.canvases) = (clips, library, canvases)
        stage = TransitionStage(size: task.size, color: task.color)
        effects = EffectPainter(color: task.color)
    }

    /// Forgets what is kept of transitions with other looks than `looks`.
    func keep(_ looks: Set<TransitionLook>) { stage.keep(looks) }

    /// Forgets what the frame that ends here has not used.
    func endFrame() { effects.endFrame() }

    /// `layer` over `canvas`.
    /// - Throws: ``RenderError`` `invalid_task`, or of a source, which it names; ``MediaError``.
    func draw(_ layer: FrameLayer, in context: FrameContext, over canvas: Canvas) throws -> Canvas {
        let transition = try layer.transition(in: context)
        if let track = try layer.clips.first?.trackState(in: context), track.needsWhole(in: transition) {
            return try draw(layer, transition, on: track, in: context, over: canvas)
        }
        return try draw(layer, transition, in: context, over: canvas)
    }

    /// What the track shows is put together first, then it is changed, cut and mixed as one picture.
    private func draw(
        _ layer: FrameLayer,
        _ transition: TransitionState?,
        on track: LayerState,
        in context: FrameContext,
        over canvas: Canvas
    ) throws -> Canvas {
        if track.opacity.isFirst { return canvas }
        guard let shown = try picture(of: layer, transition, in: context.withTrackAlone) else { return canvas }
        let material = try library.material(
            of: track.effects,
            fit: .contain,
            itemTime: layer.clips.first?.trackTime(in: context) ?? .zero,
            in: context
        )
        let own = layer.clips.compactMap(\.blend).first
        let painted = try effects.layer(
            shown,
            in: track,
            projection: track.moves
                ? track.projection(of: Placement(whole: size), picture: size, frame: size) : .identity,
            opacity: track.opacity,
            blend: own ?? track.blend,
            frame: size,
            material: material
        )
        return try canvases.draw(painted, over: canvas)
    }

    /// What the track shows, on nothing.
    /// - Returns: nil where nothing is seen.
    private func picture(
        of layer: FrameLayer,
        _ transition: TransitionState?,
        in context: FrameContext
    ) throws -> GroupPicture? {
        if transition?.isBetween ?? false {
            let picture = try stage.separate { ground in
                try canvases.picture(of: draw(layer, transition, in: context, over: .picture(ground)))
            }
            return GroupPicture(picture: picture)
        }
        let clip = transition?.isSecond ?? false ? layer.to : layer.from
        guard let clip, let painted = try clips.layer(of: clip, in: context) else { return nil }
        return try canvases.flatten([painted])
    }

    private func draw(
        _ layer: FrameLayer,
        _ transition: TransitionState?,
        in context: FrameContext,
        over canvas: Canvas
    ) throws -> Canvas {
        guard let transition, !transition.isFirst else { return try clips.draw(layer.from, in: context, over: canvas) }
        if transition.isSecond { return try clips.draw(layer.to, in: context, over: canvas) }
        let below = try canvases.settled(canvas)
        if let look = transition.look, look.movesSamples,
            context.isTrackAlone || !layer.clips.contains(where: \.isBlended), case .picture(let lower) = below
        {
            return .picture(
                try stage.paint(over: lower, look, progress: transition.progress) { isSecond, ground in
                    let clip = isSecond ? layer.to : layer.from
                    return try canvases.picture(of: clips.draw(clip, in: context, over: .picture(ground)))
                }
            )
        }
        let first = try clips.draw(layer.from, in: context, over: below)
        let second = try clips.draw(layer.to, in: context, over: below)
        return try join(first, second, transition, in: context)
    }

    /// Both sides of a transition between two whole pictures.
    private func join(
        _ first: Canvas,
        _ second: Canvas,
        _ transition: TransitionState,
        in context: FrameContext
    ) throws -> Canvas {
        guard let look = transition.look, !transition.isDissolve else {
            return try canvases.blend(first, second, weight: transition.weight)
        }
        let (from, to) = try (canvases.picture(of: first), canvases.picture(of: second))
        return .picture(
            try stage.paint(from, to, look, progress: transition.progress) {
                try look.map.map { try clips.picture(of: $0, in: context) }
            }
        )
    }
}
