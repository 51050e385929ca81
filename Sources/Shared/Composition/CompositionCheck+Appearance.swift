extension CompositionCheck {
    /// Keys in order, as many numbers as the property has, each within its range.
    mutating func appearance(_ appearance: LayerAppearance?, at pointer: String) {
        guard let appearance else { return }
        for property in PictureProperty.allCases {
            guard let value = appearance[property] else { continue }
            keys(value.keys, of: property, at: "\(pointer)/\(property.rawValue)/keys")
        }
    }

    /// As ``appearance(_:at:)``, of a track.
    mutating func trackAppearance(_ appearance: LayerAppearance?, at pointer: String) {
        self.appearance(appearance, at: pointer)
        if appearance?.crop != nil { report("animation", pointer + "/crop", "a track cuts nothing") }
    }

    private mutating func keys(_ keys: [AnimationKey], of property: PictureProperty, at pointer: String) {
        let form = property.form
        if keys.isEmpty { report("animation", pointer, "a property has at least one key") }
        for (index, key) in keys.enumerated() {
            let place = "\(pointer)/\(index)"
            if key.value.count != form.count {
                report("animation", place + "/value", "\(property.rawValue) has \(form.count) numbers")
            } else if !key.value.allSatisfy(form.millionths.contains) {
                let range = "from \(form.range.lowerBound) to \(form.range.upperBound)"
                report("animation", place + "/value", "\(property.rawValue) is \(range), in millionths")
            }
            if index > 0, keys[index - 1].at > key.at {
                report("animation", place + "/at", "keys must be in order of time")
            }
        }
    }
}
