extension CompositionCheck {
    /// Keys in order, as many numbers as the property has, each within its range.
    mutating func appearance(_ appearance: LayerAppearance?, at pointer: String) {
        guard let appearance else { return }
        for property in PictureProperty.allCases {
            guard let value = appearance[property] else { continue }
            keys(value.keys, property.rawValue, property.form, at: "\(pointer)/\(property.rawValue)/keys")
        }
        let effects = appearance.effects ?? []
        if effects.count > Limits.effects {
            report("effects", pointer + "/effects", "a segment has at most \(Limits.effects) effects")
        }
        for (index, effect) in effects.enumerated() { self.effect(effect, at: "\(pointer)/effects/\(index)") }
    }

    private mutating func effect(_ effect: PictureEffect, at pointer: String) {
        let parameters = effect.effect.parameters
        for name in effect.values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            report("effects", pointer + "/values/\(name)", "\(effect.effect.rawValue) has no parameter of this name")
        }
        for parameter in parameters {
            guard let value = effect.values[parameter.name] else { continue }
            keys(value.keys, parameter.name, parameter.form, at: "\(pointer)/values/\(parameter.name)/keys")
        }
        guard let color = effect.color else { return }
        if effect.effect.standardColor == nil || !ColorText.isColor(color) || color.utf8.count != 7 {
            report("effects", pointer + "/color", "only effects with a color have one, written as #rrggbb")
        }
    }

    /// As ``appearance(_:at:)``, of a track.
    mutating func trackAppearance(_ appearance: LayerAppearance?, at pointer: String) {
        self.appearance(appearance, at: pointer)
        if appearance?.crop != nil { report("animation", pointer + "/crop", "a track cuts nothing") }
        if appearance?.effects != nil { report("effects", pointer + "/effects", "a track has no effects") }
    }

    private mutating func keys(_ keys: [AnimationKey], _ name: String, _ form: PropertyForm, at pointer: String) {
        if keys.isEmpty { report("animation", pointer, "a property has at least one key") }
        for (index, key) in keys.enumerated() {
            let place = "\(pointer)/\(index)"
            if key.value.count != form.count {
                report("animation", place + "/value", "\(name) has \(form.count) numbers")
            } else if !key.value.allSatisfy(form.millionths.contains) {
                let range = "from \(form.range.lowerBound) to \(form.range.upperBound)"
                report("animation", place + "/value", "\(name) is \(range), in millionths")
            }
            if index > 0, keys[index - 1].at > key.at {
                report("animation", place + "/at", "keys must be in order of time")
            }
        }
    }
}
