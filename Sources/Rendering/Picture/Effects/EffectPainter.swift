import CompositionModel
import Media
import Pixels

/// Applies a layer's effects to its picture. What was made is kept for pictures that are shown again.
final class EffectPainter {
    private struct Made {
        let source: Picture
        let effects: [EffectState]
        let numbers: [Double]
        let masks: [Picture]
        let result: Picture
    }

    private let color: ColorDescription
    private var made = FrameCache<Made>()

    init(color: ColorDescription) { self.color = color }

    /// Forgets what was not asked for since the last call.
    func endFrame() { made.endFrame() }

    /// `picture` after `effects`, apart from shadows.
    /// - Parameters:
    ///   - picture: planar Y′CbCr of 8 bits with or without alpha.
    ///   - grain: pixels of `picture` for each of the frame: effects count lengths in the frame's.
    ///   - origin: left and top of `picture` where its fit put it, in pixels of the frame.
    func apply(
        _ effects: [EffectState],
        to picture: Picture,
        grain: (x: Double, y: Double),
        origin: (x: Double, y: Double) = (0, 0),
        material: EffectMaterial = EffectMaterial()
    ) throws(MediaError) -> Picture {
        let effects = effects.filter { $0.name != .dropShadow }
        guard !effects.isEmpty else { return picture }
        let numbers = [grain.x, grain.y, origin.x, origin.y]
        return try kept(picture, effects, numbers, material.pictures(of: effects)) { () throws(MediaError) in
            let needsAlpha = effects.contains { !$0.name.keepsOpacity }
            let draft = try EffectDraft(of: picture, withAlpha: needsAlpha, color: color)
            try draft.apply(effects, grain: grain, origin: origin, material: material)
            return try draft.target.freeze()
        }
    }

    /// The shadows that `layer` throws, from the last effect to the first, as strong as they are of an opaque layer.
    func shadows(
        of layer: PaintedLayer,
        _ effects: [EffectState],
        grain: (x: Double, y: Double)
    ) throws(MediaError) -> [PaintedLayer] {
        var shadows: [PaintedLayer] = []
        for effect in effects where effect.name == .dropShadow {
            let weight = BlendWeight(effect[.opacity])
            if weight.isFirst { continue }
            shadows.insert(try shadow(of: layer, effect, grain: grain, opacity: weight), at: 0)
        }
        return shadows
    }

    private func shadow(
        of layer: PaintedLayer,
        _ effect: EffectState,
        grain: (x: Double, y: Double),
        opacity: BlendWeight
    ) throws(MediaError) -> PaintedLayer {
        let shape = ShadowShape(of: layer, radius: effect[.radius], grain: grain)
        let picture = try kept(layer.picture, [effect], shape.numbers) { () throws(MediaError) in
            try shape.picture(of: layer.picture, color: effect.color, in: color)
        }
        let offset = effect.list(.offset)
        let place = Projection.translation(x: offset[0] * grain.x, y: offset[1] * grain.y) * shape.projection
        return PaintedLayer(
            picture: picture,
            projection: layer.projection * place,
            crop: nil,
            opacity: opacity,
            blend: .normal
        )
    }

    private func kept(
        _ source: Picture,
        _ effects: [EffectState],
        _ numbers: [Double],
        _ masks: [Picture] = [],
        _ make: () throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture {
        let known = made.first {
            $0.source === source && $0.effects == effects && $0.numbers == numbers
                && $0.masks.elementsEqual(masks, by: ===)
        }
        if let known { return known.result }
        let result = try make()
        made.insert(
            Made(source: source, effects: effects, numbers: numbers, masks: masks, result: result),
            byteCount: source.byteCount + result.byteCount
        )
        return result
    }
}
