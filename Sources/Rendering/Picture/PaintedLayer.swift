import Media
import Pixels
import Shared

/// A picture of yuv420p or with an alpha on its way into the frame.
struct PaintedLayer {
    let picture: Picture
    /// Frame ← picture, in pixels.
    let projection: Projection
    /// The part of the picture that is seen, in its pixels; nil is all.
    let crop: PlaneRect?
    let opacity: BlendWeight
    let blend: BlendFunction
    /// Drawn before it.
    var shadows: [PaintedLayer] = []
}

extension PaintedLayer {
    /// This on a track that is itself placed and mixed as `track` says: the frame is its picture. A blend mode of the
    /// layer's own counts before the track's.
    func on(_ track: LayerState, frame: PictureSize) -> PaintedLayer {
        let whole = Placement(whole: frame)
        let way = track.moves ? track.projection(of: whole, picture: frame, frame: frame) : .identity
        return PaintedLayer(
            picture: picture,
            projection: way * projection,
            crop: crop,
            opacity: BlendWeight(value: UInt32((UInt64(opacity.value) * UInt64(track.opacity.value) + 32768) >> 16)),
            blend: blend == .normal ? track.blend.function : blend,
            shadows: shadows.map { $0.on(track, frame: frame) }
        )
    }
}

extension LayerFitter {
    /// `picture`, as it was decoded, as `state` shows it in a frame of size `frame`.
    func layer(_ picture: Picture, in state: LayerState, frame: PictureSize) throws(MediaError) -> PaintedLayer {
        let shown = try state.moves ? upright(picture) : place(picture).picture
        let projection =
            state.moves
            ? state.projection(of: placement, picture: shown.size, frame: frame)
            : .translation(x: Double(placement.x), y: Double(placement.y))
        let grain = LayerState.scale(from: placement, to: shown.size)
        var layer = PaintedLayer(
            picture: try effects.apply(state.effects, to: shown, grain: grain),
            projection: projection,
            crop: state.crop(of: placement, picture: shown.size),
            opacity: state.opacity,
            blend: state.blend.function
        )
        layer.shadows = try effects.shadows(of: layer, state.effects, grain: grain)
        return layer
    }
}

extension BlendMode {
    /// The function of pixels that the edit's word names.
    var function: BlendFunction {
        switch self {
        case .normal: .normal
        case .multiply: .multiply
        case .screen: .screen
        case .overlay: .overlay
        case .darken: .darken
        case .lighten: .lighten
        case .colorDodge: .colorDodge
        case .colorBurn: .colorBurn
        case .hardLight: .hardLight
        case .softLight: .softLight
        case .difference: .difference
        case .exclusion: .exclusion
        case .hue: .hue
        case .saturation: .saturation
        case .color: .color
        case .luminosity: .luminosity
        }
    }
}
