package import Timing

/// One effect on a layer's picture, before it is placed in the frame (docs/picture.md, "Effects").
package struct PictureEffect: Sendable, Hashable, Codable, OrderedObject {
    /// The kinds of effects.
    package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case chromaKey, lumaKey
        case exposure, brightness, contrast, saturation, temperature, liftGammaGain, sepia, blackAndWhite, lut
        case blur, sharpen, vignette, pixelate
        case roundedCorners, mask, dropShadow
    }

    /// The keys of ``values``.
    package typealias Parameter = ParameterKey<PictureEffect>

    /// The kind of the effect.
    package var effect: Name
    /// The values over time, by the keys of ``Name/parameters``; a parameter that is missing has its standard value.
    package var values: [Parameter: AnimatedProperty]
    /// The colour of an effect that has one, `#rrggbb`; nil means ``Name/standardColor``.
    package var color: String?
    /// The asset that it works with; nil for an effect without ``Name/assetRole``.
    package var source: EffectSource?

    package init(
        _ effect: Name,
        _ values: [Parameter: AnimatedProperty] = [:],
        color: String? = nil,
        source: EffectSource? = nil
    ) {
        (self.effect, self.values, self.color, self.source) = (effect, values, color, source)
    }

    /// Whether a parameter or the mask changes with time.
    package var isAnimated: Bool { values.values.contains { $0.keys.count > 1 } || source?.clock == .item }

    /// The value of a parameter over time; the standard value where none is written.
    /// - Precondition: ``Name/parameters`` of this effect has it.
    package subscript(parameter: Parameter) -> AnimatedProperty {
        guard let declared = effect.parameters.first(where: { $0.key == parameter }) else {
            preconditionFailure("\(effect) has no parameter \(parameter.name)")
        }
        return values[parameter] ?? AnimatedProperty(constant: declared.standard)
    }

    /// The numbers of `parameter` at `time`, each within its range.
    package func value(_ parameter: EffectParameter, at time: RationalTime) -> [Double] {
        let standard = parameter.standard.map { Double($0) / 1_000_000 }
        guard let value = values[parameter.key]?.value(at: time), value.count == standard.count else {
            return standard
        }
        let range = parameter.form.range
        return value.map { max(Double(range.lowerBound), min(Double(range.upperBound), $0)) }
    }

    /// The effect in its one canonical form: standard values are left out, and a value that never changes has one key.
    var simplest: PictureEffect {
        var simple = self
        for parameter in effect.parameters {
            guard let value = values[parameter.key], let first = value.keys.first else { continue }
            guard value.isConstant else { continue }
            let isStandard = first.value == parameter.standard
            simple.values[parameter.key] = isStandard ? nil : AnimatedProperty(constant: first.value)
        }
        if simple.color == effect.standardColor { simple.color = nil }
        return simple
    }
}

extension PictureEffect {
    package func write(to members: inout ObjectMembers) throws {
        if let color { try members.write("color", color) }
        try members.write("effect", effect.rawValue)
        if let source { try members.write("source", source) }
        try members.write("values", values)
    }
}
