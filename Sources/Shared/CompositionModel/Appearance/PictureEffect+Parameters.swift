/// The keys of all parameters of effects. ``PictureEffect/Name/parameters`` says which effect has which, and what they
/// mean.
extension ParameterKey<PictureEffect> {
    package static var amount: Self { Self("amount") }
    package static var gain: Self { Self("gain") }
    package static var gamma: Self { Self("gamma") }
    package static var invert: Self { Self("invert") }
    package static var lift: Self { Self("lift") }
    package static var offset: Self { Self("offset") }
    package static var opacity: Self { Self("opacity") }
    package static var radius: Self { Self("radius") }
    package static var size: Self { Self("size") }
    package static var softness: Self { Self("softness") }
    package static var spill: Self { Self("spill") }
    package static var stops: Self { Self("stops") }
    package static var threshold: Self { Self("threshold") }
    package static var tint: Self { Self("tint") }
    package static var tolerance: Self { Self("tolerance") }
}

/// A parameter as a kind of effect declares it: a number, or several.
package struct EffectParameter: Sendable, Hashable {
    /// The key of its value.
    package let key: PictureEffect.Parameter
    /// The count, the unit and the range of its numbers.
    package let form: PropertyForm
    /// The numbers that apply where none are written, in millionths of their unit.
    package let standard: [Int64]

    init(_ key: PictureEffect.Parameter, _ form: PropertyForm, _ standard: [Int64]) {
        (self.key, self.form, self.standard) = (key, form, standard)
    }
}

extension PictureEffect.Name {
    /// The parameters that this effect has, in the order of docs/picture.md.
    package var parameters: [EffectParameter] {
        switch self {
        case .chromaKey:
            [
                // The distance from the color, up to 1, within which the picture is transparent.
                part(.tolerance, 0.15),
                // The distance from there to where the picture is opaque.
                part(.softness, 0.1),
                // The part of the color's light on the rest that is taken away.
                part(.spill, 1),
            ]
        case .lumaKey:
            [
                // Luma, black 0 and white 1, below which it is transparent.
                part(.threshold, 0.1),
                // Width of the slope about it.
                part(.softness, 0.1),
                // 1 makes what is above transparent.
                part(.invert, 0),
            ]
        case .exposure:
            [
                // Stops by which there is more light.
                one(.stops, -10...10, 0)
            ]
        case .brightness:
            [
                // Added to red, green and blue; white is 1.
                one(.amount, -1...1, 0)
            ]
        case .contrast:
            [
                // Factor of the distance from middle grey.
                one(.amount, 0...10, 1)
            ]
        case .saturation:
            [
                // Factor of the distance from grey.
                one(.amount, 0...10, 1)
            ]
        case .temperature:
            [
                // Below 0 colder, above 0 warmer.
                one(.amount, -1...1, 0),
                // Below 0 greener, above 0 more magenta.
                one(.tint, -1...1, 0),
            ]
        case .liftGammaGain:
            [
                // The value that black gets, in red, green and blue.
                channels(.lift, -1...1, 0),
                // Above 1 lifts the middle; at least 0.1 counts.
                channels(.gamma, 0...10, 1),
                // The value that white gets, in red, green and blue.
                channels(.gain, 0...10, 1),
            ]
        case .sepia, .blackAndWhite, .lut:
            [
                // 0 is nothing of it, 1 all.
                part(.amount, 1)
            ]
        case .blur:
            [
                // Standard deviation of the Gaussian, in pixels.
                length(.radius, 0...2000, 8)
            ]
        case .sharpen:
            [
                // The factor of the difference from the blurred picture that is added.
                one(.amount, 0...10, 0.5),
                // Standard deviation of that blur, in pixels.
                length(.radius, 0...100, 1),
            ]
        case .vignette:
            [
                // The part of the light that the corners lose.
                part(.amount, 0.5),
                // The distance from the centre at which it begins, in halves of the diagonal.
                one(.radius, 0...2, 0.5),
                // The distance from there to its darkest, in halves of the diagonal.
                one(.softness, 0...2, 0.5),
            ]
        case .pixelate:
            [
                // Side of the squares, in pixels.
                length(.size, 1...1000, 16)
            ]
        case .roundedCorners:
            [
                // Radius of the corners, in pixels.
                length(.radius, 0...100_000, 24)
            ]
        case .mask:
            [
                // 1 shows what the mask hides, and hides what it shows.
                part(.invert, 0)
            ]
        case .dropShadow:
            [
                // The offset of the shadow, to the right and down, in pixels.
                EffectParameter(.offset, .lengths([.x, .y], -2000...2000), [8_000_000, 8_000_000]),
                // Standard deviation of its blur, in pixels.
                length(.radius, 0...500, 8),
                // 0 to 1.
                part(.opacity, 0.5),
            ]
        }
    }

    /// The color that applies where none is written; nil for an effect that has no color.
    package var standardColor: String? {
        switch self {
        case .chromaKey: "#00ff00"
        case .dropShadow: "#000000"
        default: nil
        }
    }

    /// Whether the effect leaves an opaque picture opaque.
    package var keepsOpacity: Bool { ![.chromaKey, .lumaKey, .roundedCorners, .mask].contains(self) }

    private func one(
        _ key: PictureEffect.Parameter,
        _ range: ClosedRange<Int64>,
        _ standard: Double
    ) -> EffectParameter {
        let form = PropertyForm(count: 1, range: range, unit: .factor)
        return EffectParameter(key, form, [millionths(standard)])
    }

    private func part(_ key: PictureEffect.Parameter, _ standard: Double) -> EffectParameter {
        EffectParameter(key, PropertyForm(count: 1, range: 0...1, unit: .part), [millionths(standard)])
    }

    private func length(
        _ key: PictureEffect.Parameter,
        _ range: ClosedRange<Int64>,
        _ standard: Double
    ) -> EffectParameter {
        EffectParameter(key, .lengths([.x], range), [millionths(standard)])
    }

    private func channels(
        _ key: PictureEffect.Parameter,
        _ range: ClosedRange<Int64>,
        _ standard: Double
    ) -> EffectParameter {
        let form = PropertyForm(count: 3, range: range, unit: .factor)
        return EffectParameter(key, form, Array(repeating: millionths(standard), count: 3))
    }

    private func millionths(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }
}
