import CompositionModel
import Media
import Pixels

/// Shows the pictures of one clip as its appearance says, with its effects. What its effects made is kept for pictures
/// that are shown again.
final class ClipPainter {
    /// Brings the clip's pictures to their place in the frame.
    let fitter: LayerFitter
    private let effects: EffectPainter

    /// - Parameter color: the colour of the frame.
    init(fitter: LayerFitter, color: ColorDescription) {
        self.fitter = fitter
        effects = EffectPainter(color: color)
    }

    /// Forgets what was not asked for since the last call.
    func endFrame() { effects.endFrame() }

    /// `picture`, as it was decoded, as `state` shows it in a frame of size `frame`.
    func layer(
        _ picture: Picture,
        in state: LayerState,
        frame: PictureSize,
        material: EffectMaterial
    ) throws(MediaError) -> PaintedLayer {
        let placement = fitter.placement
        let isOwn = state.moves || fitter.isSeenThrough(picture) || fitter.isBeyondLimits
        let shown = try isOwn ? fitter.upright(picture) : fitter.place(picture).picture
        let projection =
            isOwn
            ? state.projection(of: placement, picture: shown.size, frame: frame)
            : .translation(x: Double(placement.x), y: Double(placement.y))
        let grain = LayerState.scale(from: placement, to: shown.size)
        var layer = PaintedLayer(
            picture: try effects.apply(
                state.effects,
                to: shown,
                grain: grain,
                origin: (Double(placement.x), Double(placement.y)),
                material: material
            ),
            projection: projection,
            crop: state.crop(of: placement, picture: shown.size),
            opacity: state.opacity,
            blend: state.blend.function
        )
        layer.shadows = try effects.shadows(of: layer, state.effects, grain: grain)
        return layer
    }
}
