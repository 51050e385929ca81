public import Timing

/// One effect on a layer's picture, before it is placed in the frame (docs/picture.md, "Effects").
public struct PictureEffect: Sendable, Hashable, Codable {
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case chromaKey, lumaKey
        case exposure, brightness, contrast, saturation, temperature, liftGammaGain, sepia, blackAndWhite, lut
        case blur, sharpen, vignette, pixelate
        case roundedCorners, mask, dropShadow
    }

    public var effect: Name
    /// By the names of ``Name/parameters``; what is missing has its standard value.
    public var values: [String: AnimatedProperty]
    /// `#rrggbb`; nil is ``Name/standardColor``.
    public var color: String?
    /// Of an effect that works with an asset (``Name/assetRole``), and of no other.
    public var source: EffectSource?

    public init(
        _ effect: Name,
        _ values: [String: AnimatedProperty] = [:],
        color: String? = nil,
        source: EffectSource? = nil
    ) {
        (self.effect, self.values, self.color, self.source) = (effect, values, color, source)
    }

    /// Whether anything of it changes with time.
    public var isAnimated: Bool { values.values.contains { $0.keys.count > 1 } || source?.clock == .item }

    /// The numbers of `parameter` at `time`, each within its range.
    public func value(_ parameter: EffectParameter, at time: RationalTime) -> [Double] {
        let standard = parameter.standard.map { Double($0) / 1_000_000 }
        guard let value = values[parameter.name]?.value(at: time), value.count == standard.count else {
            return standard
        }
        let range = parameter.form.range
        return value.map { max(Double(range.lowerBound), min(Double(range.upperBound), $0)) }
    }

    /// The one way to say this: a standard value is left out, one that never changes has one key.
    var simplest: PictureEffect {
        var simple = self
        for parameter in effect.parameters {
            guard let value = values[parameter.name], let first = value.keys.first else { continue }
            guard value.isConstant else { continue }
            let isStandard = first.value == parameter.standard
            simple.values[parameter.name] = isStandard ? nil : AnimatedProperty(constant: first.value)
        }
        if simple.color == effect.standardColor { simple.color = nil }
        return simple
    }
}

/// A number or several that an effect is told.
public struct EffectParameter: Sendable, Hashable {
    public let name: String
    public let form: PropertyForm
    /// Millionths.
    public let standard: [Int64]
    /// One line for the schema's readers.
    public let summary: String

    init(_ name: String, _ form: PropertyForm, _ standard: [Int64], _ summary: String) {
        (self.name, self.form, self.standard, self.summary) = (name, form, standard, summary)
    }
}

extension PictureEffect.Name {
    /// In the order of docs/picture.md.
    public var parameters: [EffectParameter] {
        switch self {
        case .chromaKey:
            [
                part(
                    "tolerance",
                    0.15,
                    "Distance from the color, up to 1, that is transparent."
                ),
                part("softness", 0.1, "Distance from there to what is opaque."),
                part("spill", 1, "How much of the color's light on the rest is taken away."),
            ]
        case .lumaKey:
            [
                part("threshold", 0.1, "Luma, black 0 and white 1, below which it is transparent."),
                part("softness", 0.1, "Width of the slope about it."),
                part("invert", 0, "1 makes what is above transparent."),
            ]
        case .exposure: [one("stops", -10...10, 0, "Stops.")]
        case .brightness: [one("amount", -1...1, 0, "Added to red, green and blue; white is 1.")]
        case .contrast: [one("amount", 0...10, 1, "Factor of the distance from middle grey.")]
        case .saturation: [one("amount", 0...10, 1, "Factor of the distance from grey.")]
        case .temperature:
            [
                one("amount", -1...1, 0, "Below 0 colder, above 0 warmer."),
                one("tint", -1...1, 0, "Below 0 greener, above 0 more magenta."),
            ]
        case .liftGammaGain:
            [
                channels("lift", -1...1, 0, "Of red, green and blue: what black becomes."),
                channels("gamma", 0...10, 1, "Above 1 lifts the middle; at least 0.1 counts."),
                channels("gain", 0...10, 1, "What white becomes."),
            ]
        case .sepia, .blackAndWhite, .lut: [part("amount", 1, "0 is nothing of it, 1 all.")]
        case .blur: [length("radius", 0...2000, 8, "Standard deviation of the Gaussian, in pixels.")]
        case .sharpen:
            [
                one("amount", 0...10, 0.5, "Of the difference from the blurred picture that is added."),
                length("radius", 0...100, 1, "Of that blur, in pixels."),
            ]
        case .vignette:
            [
                part("amount", 0.5, "How much light the corners lose."),
                one("radius", 0...2, 0.5, "Where it begins, in halves of the diagonal."),
                one("softness", 0...2, 0.5, "How far it takes to its darkest, likewise."),
            ]
        case .pixelate: [length("size", 1...1000, 16, "Side of the squares, in pixels.")]
        case .roundedCorners: [length("radius", 0...100_000, 24, "Of the corners, in pixels.")]
        case .mask: [part("invert", 0, "1 shows what the mask hides, and hides what it shows.")]
        case .dropShadow:
            [
                EffectParameter(
                    "offset",
                    .lengths([.x, .y], -2000...2000),
                    [8_000_000, 8_000_000],
                    "Where the shadow falls: to the right and down, in pixels."
                ),
                length("radius", 0...500, 8, "Standard deviation of its blur, in pixels."),
                part("opacity", 0.5, "0 to 1."),
            ]
        }
    }

    /// The color that is meant where none is written; nil for an effect that has none.
    public var standardColor: String? {
        switch self {
        case .chromaKey: "#00ff00"
        case .dropShadow: "#000000"
        default: nil
        }
    }

    /// Whether an opaque picture stays so.
    public var keepsOpacity: Bool { ![.chromaKey, .lumaKey, .roundedCorners, .mask].contains(self) }

    private func one(_ name: String, _ range: ClosedRange<Int64>, _ standard: Double, _ text: String) -> EffectParameter
    {
        let form = PropertyForm(count: 1, range: range, unit: .factor)
        return EffectParameter(name, form, [millionths(standard)], text)
    }

    private func part(_ name: String, _ standard: Double, _ text: String) -> EffectParameter {
        EffectParameter(name, PropertyForm(count: 1, range: 0...1, unit: .part), [millionths(standard)], text)
    }

    private func length(
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ standard: Double,
        _ text: String
    ) -> EffectParameter {
        EffectParameter(name, .lengths([.x], range), [millionths(standard)], text)
    }

    private func channels(
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ standard: Double,
        _ text: String
    ) -> EffectParameter {
        let form = PropertyForm(count: 3, range: range, unit: .factor)
        return EffectParameter(name, form, Array(repeating: millionths(standard), count: 3), text)
    }

    private func millionths(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }
}
