import CompositionModel
import Timing

extension LayerAppearance {
    /// The appearance for a frame rendered at another size, with the same relative positions.
    func scaled(from frame: PictureSize, to output: PictureSize) -> LayerAppearance {
        guard frame != output else { return self }
        var scaled = self
        for property in PictureProperty.allCases {
            scaled[property] = self[property]?.scaled(property.form, from: frame, to: output)
        }
        scaled.effects = effects?.map { effect in
            var effect = effect
            for parameter in effect.effect.parameters {
                // A parameter's default length also counts pixels of the edit's frame.
                guard case .length = parameter.form.unit else { continue }
                effect.values[parameter.key] = effect[parameter.key].scaled(parameter.form, from: frame, to: output)
            }
            return effect
        }
        return scaled
    }

    /// The appearance from `start` to `end`, both included, without the keys that decide about none of these times.
    func trimmed(from start: RationalTime, to end: RationalTime) -> LayerAppearance {
        var trimmed = self
        for property in PictureProperty.allCases {
            trimmed[property] = self[property]?.trimmed(from: start, to: end)
        }
        trimmed.effects = effects?.map { effect in
            var effect = effect
            effect.values = effect.values.mapValues { $0.trimmed(from: start, to: end) }
            return effect
        }
        return trimmed
    }

    /// Whether the layer is fully transparent from `start` up to `end`.
    func isInvisible(from start: RationalTime, to end: RationalTime) -> Bool {
        guard let opacity else { return false }
        let first = max(opacity.keys.partitionPoint { $0.at > start } - 1, 0)
        let last = max(opacity.keys.partitionPoint { $0.at > end }, first)
        return opacity.keys[first...min(last, opacity.keys.count - 1)].allSatisfy { $0.value == [0] }
    }

    /// Whether the layer surely hides everything that a frame-filling picture would hide: it may only grow about its
    /// centre.
    var surelyCovers: Bool {
        var rest = self
        rest.scale = nil
        if (rest.effects ?? []).allSatisfy(\.effect.keepsOpacity) { rest.effects = nil }
        guard rest == LayerAppearance() else { return false }
        return (scale?.keys ?? []).allSatisfy { key in
            key.value.allSatisfy { $0 >= 1_000_000 } && !key.ease.mayOvershoot
        }
    }
}

extension AnimatedProperty {
    /// The last key at or before `start`, the first one after `end`, and those between. The keys keep their times, so
    /// that every slice computes a value from the same numbers.
    func trimmed(from start: RationalTime, to end: RationalTime) -> AnimatedProperty {
        guard keys.count > 1 else { return self }
        let first = max(keys.partitionPoint { $0.at > start } - 1, 0)
        let last = min(keys.partitionPoint { $0.at > end }, keys.count - 1)
        guard first < last else { return AnimatedProperty(constant: keys[first].value) }
        return AnimatedProperty(keys: Array(keys[first...last]))
    }

    /// Scales lengths for a frame rendered at another size, to the nearest millionth of a pixel; other values stay.
    fileprivate func scaled(_ form: PropertyForm, from frame: PictureSize, to output: PictureSize) -> AnimatedProperty {
        guard case .length(let axes) = form.unit else { return self }
        var scaled = self
        for index in keys.indices {
            scaled.keys[index].value = zip(keys[index].value, axes).map { number, axis in
                let (from, to) = axis == .x ? (frame.width, output.width) : (frame.height, output.height)
                let product = Int128(number) * Int128(to)
                return Int64(clamping: Rounding.halfAwayFromZero.divide(product, by: Int128(from)).value)
            }
        }
        return scaled
    }
}
