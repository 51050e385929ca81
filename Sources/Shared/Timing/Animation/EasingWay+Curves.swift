extension EasingWay {
    /// `curve` at 0 < `t` < 1, by its own formulas: those of `inOut` are not always both halves put together.
    func value(at t: Double, of curve: EasingCurve) -> Double {
        switch curve {
        case .expo: exponential(t)
        case .back: back(t)
        case .elastic: elastic(t)
        default: mirrored(t) { EasingWay.slowStart($0, of: curve) }
        }
    }

    /// `f` where it is slow at the start, turned over for the other ways.
    private func mirrored(_ t: Double, _ f: (Double) -> Double) -> Double {
        switch self {
        case .in: f(t)
        case .out: 1 - f(1 - t)
        case .inOut: t < 0.5 ? f(2 * t) / 2 : 1 - f(2 - 2 * t) / 2
        }
    }

    private static func slowStart(_ t: Double, of curve: EasingCurve) -> Double {
        switch curve {
        case .sine: 1 - ExactMath.cosPi(t / 2)
        case .quad: t * t
        case .cubic: t * t * t
        case .quart: t * t * t * t
        case .quint: t * t * t * t * t
        case .circ: 1 - (1 - t * t).squareRoot()
        case .bounce: 1 - bounceOut(1 - t)
        case .expo, .back, .elastic: t
        }
    }

    /// Four parabolas; each rebound comes to 3/4, 15/16 and 63/64 of the fall.
    private static func bounceOut(_ t: Double) -> Double {
        let fall = 7.5625
        let width = 2.75
        if t < 1 / width { return fall * t * t }
        let (middle, rest) = t < 2 / width ? (1.5, 0.75) : t < 2.5 / width ? (2.25, 0.9375) : (2.625, 0.984375)
        let x = t - middle / width
        return fall * x * x + rest
    }

    /// It jumps by 2^−10 at its slow end, as published.
    private func exponential(_ t: Double) -> Double {
        switch self {
        case .in: ExactMath.exp2(10 * t - 10)
        case .out: 1 - ExactMath.exp2(-10 * t)
        case .inOut:
            t < 0.5 ? ExactMath.exp2(20 * t - 10) / 2 : (2 - ExactMath.exp2(10 - 20 * t)) / 2
        }
    }

    /// Overshoots by a tenth of the way.
    private func back(_ t: Double) -> Double {
        let reach = self == .inOut ? 1.70158 * 1.525 : 1.70158
        return mirrored(t) { x in x * x * ((reach + 1) * x - reach) }
    }

    /// Swings with a period of 3/10 of the way, `inOut` 9/40 of it.
    private func elastic(_ t: Double) -> Double {
        switch self {
        case .in: -ExactMath.exp2(10 * t - 10) * ExactMath.sinPi((10 * t - 10.75) * 2 / 3)
        case .out: ExactMath.exp2(-10 * t) * ExactMath.sinPi((10 * t - 0.75) * 2 / 3) + 1
        case .inOut where t < 0.5:
            -ExactMath.exp2(20 * t - 10) * ExactMath.sinPi((20 * t - 11.125) * 4 / 9) / 2
        case .inOut: ExactMath.exp2(10 - 20 * t) * ExactMath.sinPi((20 * t - 11.125) * 4 / 9) / 2 + 1
        }
    }
}
