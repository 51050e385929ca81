extension Easing {
    /// The least and the most that it comes to.
    package var reach: ClosedRange<Double> {
        switch self {
        case .hold, .linear: 0...1
        case .curve: Easing.reaches[self] ?? 0...1
        case .bezier(let bezier): bezier.reach
        }
    }

    /// Of the named curves, from 256 of their values.
    private static let reaches: [Easing: ClosedRange<Double>] = Dictionary(
        uniqueKeysWithValues: named.map { ease in
            let values = (0...256).map { ease.value(at: Double($0) / 256) }
            return (ease, (values.min() ?? 0)...(values.max() ?? 1))
        }
    )

    /// Whether it may leave the values between its two keys.
    package var mayOvershoot: Bool {
        switch self {
        case .hold, .linear: false
        case .curve(let curve, _): [.back, .elastic].contains(curve)
        case .bezier: true
        }
    }
}
