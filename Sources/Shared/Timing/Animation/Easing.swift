/// The shape of the change from one key to the next. Edits and the canonical form write it as ``name``.
package enum Easing: Sendable, Hashable {
    /// The first key's value holds until the second key.
    case hold
    case linear
    case curve(EasingCurve, EasingDirection)
    case bezier(CubicBezier)

    /// The share of the change that is done: 0 at the first key and 1 at the second; some curves overshoot in between.
    ///
    /// It is computed with + − × ÷ √ only (``ExactMath``), so every CPU gives the same bits.
    /// - Parameter progress: The share of the time that has passed, 0…1; values outside count as the nearer end.
    package func value(at progress: Double) -> Double {
        guard progress > 0 else { return 0 }
        guard progress < 1 else { return 1 }
        switch self {
        case .hold: return 0
        case .linear: return progress
        case .curve(let curve, let direction): return direction.value(at: progress, of: curve)
        case .bezier(let bezier): return bezier.value(at: progress)
        }
    }
}

/// The end at which a curve is slow: `in` at the start, `out` at the end, `inOut` at both.
package enum EasingDirection: String, Sendable, Hashable, CaseIterable {
    case `in`, out, inOut
}

/// The ten shapes of Robert Penner's easing functions, as https://easings.net gives them.
package enum EasingCurve: String, Sendable, Hashable, CaseIterable {
    case sine = "Sine"
    case quad = "Quad"
    case cubic = "Cubic"
    case quart = "Quart"
    case quint = "Quint"
    case expo = "Expo"
    case circ = "Circ"
    case back = "Back"
    case elastic = "Elastic"
    case bounce = "Bounce"
}

extension Easing {
    /// Every ease that has a name: `hold`, `linear` and the thirty curves.
    package static let named: [Easing] =
        [.hold, .linear] + EasingCurve.allCases.flatMap { curve in EasingDirection.allCases.map { .curve(curve, $0) } }

    private static let byName = Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0) })

    /// The ease as text, such as `hold`, `linear`, `outCubic` or `cubicBezier(0.25,0.1,0.25,1)`.
    package var name: String {
        switch self {
        case .hold: "hold"
        case .linear: "linear"
        case .curve(let curve, let direction): direction.rawValue + curve.rawValue
        case .bezier(let bezier): bezier.description
        }
    }

    /// The ease that ``name`` writes as `name`.
    /// - Returns: nil when `name` is no ease, or a `cubicBezier` whose numbers are out of range.
    package init?(_ name: String) {
        if let known = Easing.byName[name] {
            self = known
        } else if let bezier = CubicBezier(name) {
            self = .bezier(bezier)
        } else {
            return nil
        }
    }
}

extension Easing: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Decodes the ease from its ``name``.
    /// - Throws: `DecodingError` when the text is no ease.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let easing = Easing(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no ease")
        }
        self = easing
    }
}
