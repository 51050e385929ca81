import CompositionModel
import Media
import Pixels

extension EffectPainter {
    /// Layers that were put together, changed, cut and mixed as one picture, as `state` says.
    /// - Parameters:
    ///   - projection: maps the pixels of the group to those of the frame.
    ///   - opacity: takes the place of the state's.
    ///   - blend: takes the place of the state's.
    ///   - frame: the size of the frame, which is that of the group.
    ///   - material: what the state's effects need beside the picture.
    /// - Throws: ``MediaError`` `unsupported` for an effect that is not possible on the picture.
    func layer(
        _ group: GroupPicture,
        in state: LayerState,
        projection: Projection,
        opacity: BlendWeight,
        blend: BlendMode,
        frame: PictureSize,
        material: EffectMaterial
    ) throws(MediaError) -> PaintedLayer {
        var layer = PaintedLayer(
            picture: try apply(state.effects, to: group.picture, grain: (1, 1), material: material),
            projection: projection,
            crop: state.crop(of: Placement(whole: frame), picture: frame),
            opacity: opacity,
            blend: blend.function
        )
        if state.effects.isEmpty { layer.chromaAlpha = group.chromaAlpha }
        layer.shadows = try shadows(of: layer, state.effects, grain: (1, 1))
        return layer
    }
}
