extension Easing {
    /// The least and the largest value that the ease reaches.
    package var reach: ClosedRange<Double> {
        switch self {
        case .hold, .linear: 0...1
        case .curve: Easing.reaches[self] ?? 0...1
        case .bezier(let bezier): bezier.reach
        }
    }

    /// The ranges of the named curves, from 257 samples of each.
    private static let reaches: [Easing: ClosedRange<Double>] = Dictionary(
        uniqueKeysWithValues: named.map { ease in
            let values = (0...256).map { ease.value(at: Double($0) / 256) }
            return (ease, (values.min() ?? 0)...(values.max() ?? 1))
        }
    )

    /// Whether the ease may leave the range between the values of its two keys.
    package var mayOvershoot: Bool {
        switch self {
        case .hold, .linear: false
        case .curve(let curve, _): [.back, .elastic].contains(curve)
        case .bezier: true
        }
    }
}
