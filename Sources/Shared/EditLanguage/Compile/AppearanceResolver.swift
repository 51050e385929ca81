import CompositionModel
import Timing

/// Turns what an edit says of a picture's appearance into its canonical form: pixels, degrees and factors over seconds.
struct AppearanceResolver {
    /// The size of the edit's frame.
    let frame: PictureSize
    let grid: TrackGrid
    let assets: EffectAssets

    /// - Parameters:
    ///   - box: size of the fitted picture in the frame.
    ///   - clip: source time of the clip's `in`; nil for what has no moving source.
    /// - Returns: nil when it says nothing that can be seen, and what could be resolved after a finding.
    func appearance(_ written: EditAppearance, box: PictureSize, clip: RationalTime? = nil) -> LayerAppearance? {
        var appearance = LayerAppearance()
        for property in PictureProperty.allCases {
            let sides = property == .position ? frame : box
            appearance[property] = written.properties[property].flatMap {
                animated($0, property.rawValue, property.form, sides)
            }
        }
        appearance.effects = written.effects.map { effect($0, box, clip) }
        appearance.blend = written.blend?.value
        warnOfNothing(appearance, written, box)
        return appearance.simplest
    }

    /// Warns of a picture that is never seen: nobody means it.
    private func warnOfNothing(_ appearance: LayerAppearance, _ written: EditAppearance, _ box: PictureSize) {
        let (width, height) = (Int64(box.width) * 1_000_000, Int64(box.height) * 1_000_000)
        // One way of hiding has to hold at all keys: then it holds between them, unless an ease leaves what is between.
        let hidings: [(PictureProperty, String, [([Int64]) -> Bool])] = [
            (.crop, "cuts the picture to nothing", [{ $0[0] + $0[2] >= width }, { $0[1] + $0[3] >= height }]),
            (.scale, "scales the picture to nothing", [{ $0[0] == 0 }, { $0[1] == 0 }]),
            (.opacity, "makes the picture transparent", [{ $0[0] == 0 }]),
        ]
        for (property, what, hides) in hidings {
            guard let keys = appearance[property]?.keys, let mark = written.properties[property]?.mark,
                keys.allSatisfy({ $0.value.count == property.form.count }),
                hides.contains(where: { hides in keys.allSatisfy { hides($0.value) } })
            else { continue }
            let mayLeave = zip(keys, keys.dropFirst()).contains { $0.ease.mayOvershoot && $0.value != $1.value }
            if property == .crop, mayLeave { continue }
            grid.log.warning(mark, .neverSeen, "\"\(property.rawValue)\" \(what) at all times: it is never seen")
        }
    }

    private func effect(_ written: EditEffect, _ box: PictureSize, _ clip: RationalTime?) -> PictureEffect {
        var effect = PictureEffect(written.name, color: written.color?.value)
        for parameter in written.name.parameters {
            effect.values[parameter.key] = written.values[parameter.key].flatMap {
                animated($0, parameter.key.name, parameter.form, box)
            }
        }
        effect.source = assets.source(of: written, beside: clip)
        return effect
    }

    /// - Parameter own: the sides that percentages are hundredths of.
    /// - Returns: nil after a finding.
    private func animated(
        _ written: EditProperty,
        _ name: String,
        _ form: PropertyForm,
        _ own: PictureSize
    ) -> AnimatedProperty? {
        var keys: [AnimationKey] = []
        for key in written.keys {
            guard let at = key.at.map(grid.seconds) ?? .zero else { return nil }
            if let last = keys.last, last.at > at {
                let mark = key.at?.mark ?? key.mark
                grid.log.error(mark, .keyOrder, "this key is before the one above it; write keys in order")
                return nil
            }
            guard let value = numbers(key, name, form, own) else { return nil }
            keys.append(AnimationKey(at: at, value: value, ease: key.ease?.value ?? .linear))
        }
        // What leads nowhere from the last key on says nothing.
        if let last = keys.indices.last { keys[last].ease = .linear }
        return AnimatedProperty(keys: keys)
    }

    /// The numbers of a key in millionths of the property's unit; nil after a finding.
    private func numbers(
        _ key: EditPropertyKey,
        _ name: String,
        _ form: PropertyForm,
        _ own: PictureSize
    ) -> [Int64]? {
        guard case .length(let axes) = form.unit else { return key.value.map(\.millionths) }
        let values = zip(key.value, axes).map { pixels($0, $1, of: own) }
        let range = form.millionths
        guard values.allSatisfy({ range.contains($0) }) else {
            let bounds = "\(form.range.lowerBound) to \(form.range.upperBound) pixels"
            grid.log.error(key.mark, .numberRange, "\(name) comes to more than \(bounds) here")
            return nil
        }
        return values
    }

    private func pixels(_ quantity: EditQuantity, _ axis: PropertyForm.Axis, of own: PictureSize) -> Int64 {
        let side =
            switch quantity.unit {
            case .plain: 100
            case .percent: axis == .x ? own.width : own.height
            case .percentOfWidth: frame.width
            case .percentOfHeight: frame.height
            }
        // Both are far below 2^63.
        let hundredths = Int128(quantity.millionths) * Int128(side)
        return Int64(clamping: Rounding.halfAwayFromZero.divide(hundredths, by: 100).value)
    }
}
