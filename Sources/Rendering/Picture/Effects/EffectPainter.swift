import Media
import Pixels
import Shared

/// Applies a layer's effects to its picture. What was made is kept for pictures that are shown again.
final class EffectPainter {
    private struct Made {
        let source: Picture
        let effects: [EffectState]
        let numbers: [Double]
        let result: Picture
    }

    private static let madeLimit = 4

    private let color: ColorDescription
    private var made: [Made] = []

    init(color: ColorDescription) { self.color = color }

    /// `picture` after `effects`, apart from shadows.
    /// - Parameters:
    ///   - picture: planar Y′CbCr of 8 bits with or without alpha.
    ///   - grain: pixels of `picture` for each of the frame: effects count lengths in the frame's.
    func apply(
        _ effects: [EffectState],
        to picture: Picture,
        grain: (x: Double, y: Double)
    ) throws(MediaError) -> Picture {
        let effects = effects.filter { $0.name != .dropShadow }
        guard !effects.isEmpty else { return picture }
        return try kept(picture, effects, [grain.x, grain.y]) { () throws(MediaError) in
            let needsAlpha = effects.contains { !$0.name.keepsOpacity }
            let draft = try EffectDraft(of: picture, withAlpha: needsAlpha, color: color)
            try draft.apply(effects, grain: grain)
            return try draft.target.freeze()
        }
    }

    /// The shadows that `layer` throws, from the last effect to the first.
    func shadows(
        of layer: PaintedLayer,
        _ effects: [EffectState],
        grain: (x: Double, y: Double)
    ) throws(MediaError) -> [PaintedLayer] {
        var shadows: [PaintedLayer] = []
        for effect in effects where effect.name == .dropShadow {
            let opacity = Double(layer.opacity.value) * effect["opacity"]
            let weight = BlendWeight(value: UInt32(max(0, min(65536, opacity)).rounded()))
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
        let shape = ShadowShape(of: layer, radius: effect["radius"], grain: grain)
        let picture = try kept(layer.picture, [effect], shape.numbers) { () throws(MediaError) in
            try shape.picture(of: layer.picture, color: effect.color, in: color)
        }
        let offset = effect.list("offset")
        let place = Projection.translation(
            x: offset[0] * grain.x - Double(shape.margin.x),
            y: offset[1] * grain.y - Double(shape.margin.y)
        )
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
        _ make: () throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture {
        let known = made.first { $0.source === source && $0.effects == effects && $0.numbers == numbers }
        if let known { return known.result }
        let result = try make()
        made.append(Made(source: source, effects: effects, numbers: numbers, result: result))
        if made.count > EffectPainter.madeLimit { made.removeFirst() }
        return result
    }
}
