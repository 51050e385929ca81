import CompositionModel
import Pixels

extension PaintedLayer {
    /// This on a track that is itself placed and mixed as `track` says: the frame is its picture. A blend mode of the
    /// layer's own counts before the track's.
    func on(_ track: LayerState, frame: PictureSize) -> PaintedLayer {
        let whole = Placement(whole: frame)
        let moved = track.moves ? track.projection(of: whole, picture: frame, frame: frame) : .identity
        return PaintedLayer(
            picture: picture,
            projection: moved * projection,
            crop: crop,
            opacity: opacity.through(track.opacity),
            blend: blend == .normal ? track.blend.function : blend,
            shadows: shadows.map { shadow in
                PaintedLayer(
                    picture: shadow.picture,
                    projection: moved * shadow.projection,
                    crop: shadow.crop,
                    opacity: shadow.opacity,
                    blend: shadow.blend
                )
            },
            chromaAlpha: chromaAlpha
        )
    }
}
