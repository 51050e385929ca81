extension EasingDirection {
    /// The value of `curve` at 0 < `t` < 1 by its published formula: the formula of `inOut` is not always made of both
    /// halves.
    func value(at t: Double, of curve: EasingCurve) -> Double {
        switch curve {
        case .expo: exponential(t)
        case .back: back(t)
        case .elastic: elastic(t)
        default: mirrored(t) { EasingDirection.slowStart($0, of: curve) }
        }
    }

    /// The value at `t` of a curve given by `f`, its form that is slow at the start; the other directions mirror it.
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

    /// The bounce as four parabolas, whose rebounds reach 3/4, 15/16 and 63/64 of the height.
    private static func bounceOut(_ t: Double) -> Double {
        let fall = 7.5625
        let width = 2.75
        if t < 1 / width { return fall * t * t }
        let (middle, rest) = t < 2 / width ? (1.5, 0.75) : t < 2.5 / width ? (2.25, 0.9375) : (2.625, 0.984375)
        let x = t - middle / width
        return fall * x * x + rest
    }

    /// The exponential ease. It jumps by 2^−10 at its slow end, as published.
    private func exponential(_ t: Double) -> Double {
        switch self {
        case .in: ExactMath.exp2(10 * t - 10)
        case .out: 1 - ExactMath.exp2(-10 * t)
        case .inOut:
            t < 0.5 ? ExactMath.exp2(20 * t - 10) / 2 : (2 - ExactMath.exp2(10 - 20 * t)) / 2
        }
    }

    /// The ease that overshoots by a tenth of the distance.
    private func back(_ t: Double) -> Double {
        let reach = self == .inOut ? 1.70158 * 1.525 : 1.70158
        return mirrored(t) { x in x * x * ((reach + 1) * x - reach) }
    }

    /// The ease that swings with a period of 3/10 of the duration; `inOut` swings with 9/40 of it.
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
