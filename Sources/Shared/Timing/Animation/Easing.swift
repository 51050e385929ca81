/// How the way from one key to the next is shaped. As text in edits and in the canonical form: ``name``.
public enum Easing: Sendable, Hashable {
    /// The first key's value up to the second key.
    case hold
    case linear
    case curve(EasingCurve, EasingWay)
    case bezier(CubicBezier)

    /// How far the way has gone, 0 at its start and 1 at its end; some overshoot in between.
    ///
    /// Made of + − × ÷ √ only (``ExactMath``): every CPU gives the same bits.
    /// - Parameter progress: 0…1; what lies outside counts as the nearer end.
    public func value(at progress: Double) -> Double {
        guard progress > 0 else { return 0 }
        guard progress < 1 else { return 1 }
        switch self {
        case .hold: return 0
        case .linear: return progress
        case .curve(let curve, let way): return way.value(at: progress, of: curve)
        case .bezier(let bezier): return bezier.value(at: progress)
        }
    }
}

/// Which end of a curve is slow.
public enum EasingWay: String, Sendable, Hashable, CaseIterable {
    case `in`, out, inOut
}

/// The ten shapes of Robert Penner's easing functions, as https://easings.net gives them.
public enum EasingCurve: String, Sendable, Hashable, CaseIterable {
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
    /// Every ease with a name of its own: `hold`, `linear` and the thirty curves.
    public static let named: [Easing] =
        [.hold, .linear] + EasingCurve.allCases.flatMap { curve in EasingWay.allCases.map { .curve(curve, $0) } }

    private static let byName = Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0) })

    /// `hold`, `linear`, `outCubic`, `cubicBezier(0.25,0.1,0.25,1)`.
    public var name: String {
        switch self {
        case .hold: "hold"
        case .linear: "linear"
        case .curve(let curve, let way): way.rawValue + curve.rawValue
        case .bezier(let bezier): bezier.description
        }
    }

    /// - Returns: nil when `name` is none, or a `cubicBezier` out of its range.
    public init?(_ name: String) {
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
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let easing = Easing(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no ease")
        }
        self = easing
    }
}
