import CompositionModel
import Media
import Pixels

/// A picture of yuv420p, or of yuva444p, on its way into the frame.
struct PaintedLayer {
    let picture: Picture
    /// Frame ← picture, in pixels.
    let projection: Projection
    /// The part of the picture that is seen, in its pixels; nil is all.
    let crop: PlaneRect?
    let opacity: BlendWeight
    let blend: BlendFunction
    /// Drawn before it, and as transparent as it is: where both are seen through, they are put together first.
    var shadows: [PaintedLayer] = []
    /// The alpha of chroma as ``GroupPicture/chromaAlpha``, of a picture with alpha.
    var chromaAlpha: PlaneBuffer?
}

extension PaintedLayer {
    /// This layer as it is mixed within a group that is itself mixed with `weight` and `blend`.
    func mixed(_ weight: BlendWeight, _ blend: BlendFunction) -> PaintedLayer {
        PaintedLayer(
            picture: picture,
            projection: projection,
            crop: crop,
            opacity: opacity.through(weight),
            blend: blend,
            shadows: shadows,
            chromaAlpha: chromaAlpha
        )
    }

    /// Wholly seen, and mixed as it lies there.
    var opaque: PaintedLayer {
        PaintedLayer(
            picture: picture,
            projection: projection,
            crop: crop,
            opacity: BlendWeight(value: 65536),
            blend: .normal,
            shadows: shadows,
            chromaAlpha: chromaAlpha
        )
    }

    /// Whether it must be put together with its shadows before it is mixed with what lies below.
    var isGroup: Bool { !shadows.isEmpty && (!opacity.isSecond || blend != .normal) }

    /// The picture itself where this is nothing but one that fills a frame of `size`.
    func whole(of size: PictureSize) -> Picture? {
        let isPlain = shadows.isEmpty && crop == nil && opacity.isSecond && projection == .identity
        return isPlain && picture.size == size && picture.pixelFormat.name == "yuv420p" ? picture : nil
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

extension BlendWeight {
    /// The product of both weights.
    func through(_ other: BlendWeight) -> BlendWeight {
        if isSecond { return other }
        if other.isSecond { return self }
        return BlendWeight(value: UInt32((UInt64(value) * UInt64(other.value) + 32768) >> 16))
    }
}
