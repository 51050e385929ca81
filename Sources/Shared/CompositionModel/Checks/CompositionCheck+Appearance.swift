import Timing

extension CompositionCheck {
    /// Checks that each property and each effect has what its kind has, within its range.
    mutating func appearance(_ appearance: LayerAppearance?, at pointer: @autoclosure () -> String) {
        guard let appearance else { return }
        for property in PictureProperty.allCases {
            guard let value = appearance[property] else { continue }
            keys(value.keys, property.rawValue, property.form, at: "\(pointer())/\(property.rawValue)/keys")
        }
        let effects = appearance.effects ?? []
        if effects.count > Limits.effects {
            report(.effects, pointer() + "/effects", "a picture has at most \(Limits.effects) effects")
        }
        for (index, effect) in effects.enumerated() { self.effect(effect, at: "\(pointer())/effects/\(index)") }
    }

    private mutating func effect(_ effect: PictureEffect, at pointer: @autoclosure () -> String) {
        let parameters = effect.effect.parameters
        let unknown = Set(effect.values.keys).subtracting(parameters.map(\.key))
        for name in unknown.map(\.name).sorted() {
            report(.effects, pointer() + "/values/\(name)", "\(effect.effect.rawValue) has no parameter of this name")
        }
        for parameter in parameters {
            guard let value = effect.values[parameter.key] else { continue }
            let name = parameter.key.name
            keys(value.keys, name, parameter.form, at: "\(pointer())/values/\(name)/keys")
        }
        source(of: effect, at: pointer())
        guard let color = effect.color else { return }
        if effect.effect.standardColor == nil || !ColorText.isColor(color) || color.utf8.count != 7 {
            report(.effects, pointer() + "/color", "only effects with a color have one, written as #rrggbb")
        }
    }

    /// Checks that an effect that works with an asset names one, and that no other effect does.
    private mutating func source(of effect: PictureEffect, at pointer: @autoclosure () -> String) {
        let role = effect.effect.assetRole
        guard let source = effect.source else {
            if role != nil { report(.effects, pointer(), "\(effect.effect.rawValue) names an asset") }
            return
        }
        asset(source.asset, at: pointer() + "/source")
        let isMoving = source.clock != nil
        let isSound =
            role == .mask
            ? source.stream != nil && source.channel != nil && isMoving == (source.offset != nil)
            : source == EffectSource(asset: source.asset)
        if role == nil || !isSound {
            report(.effects, pointer() + "/source", "\(effect.effect.rawValue) has no such asset")
        }
    }

    /// Checks that the keys are in order of time and have as many numbers as `form`, each within its range.
    mutating func keys(
        _ keys: [AnimationKey],
        _ name: String,
        _ form: PropertyForm,
        at pointer: @autoclosure () -> String
    ) {
        if keys.isEmpty { report(.animation, pointer(), "a property has at least one key") }
        for (index, key) in keys.enumerated() {
            var place: String { "\(pointer())/\(index)" }
            if key.value.count != form.count {
                report(.animation, place + "/value", "\(name) has \(form.count) numbers")
            } else if !key.value.allSatisfy(form.millionths.contains) {
                let range = "from \(form.range.lowerBound) to \(form.range.upperBound)"
                report(.animation, place + "/value", "\(name) is \(range), in millionths")
            }
            if index > 0, keys[index - 1].at > key.at {
                report(.animation, place + "/at", "keys must be in order of time")
            }
        }
    }
}
