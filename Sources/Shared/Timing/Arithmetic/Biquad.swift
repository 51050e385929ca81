/// A filter of second order, y = (b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂), by its normalised coefficients.
///
/// Formulas: R. Bristow-Johnson, "Audio EQ Cookbook" (W3C Note, 2021). Sine and cosine are ``ExactMath``'s.
public struct Biquad: Sendable, Hashable {
    public var b0, b1, b2, a1, a2: Double

    public init(b0: Double, b1: Double, b2: Double, a0: Double, a1: Double, a2: Double) {
        self.b0 = b0 / a0
        self.b1 = b1 / a0
        self.b2 = b2 / a0
        self.a1 = a1 / a0
        self.a2 = a2 / a0
    }

    /// What filters are made of: a frequency below half the sample rate, and a quality.
    private struct Angle {
        let cosine: Double
        let alpha: Double

        init(_ frequency: Double, _ quality: Double, _ sampleRate: Double) {
            let turn = 2 * min(max(frequency, 1e-3), sampleRate * 0.499) / sampleRate
            cosine = ExactMath.cosPi(turn)
            alpha = ExactMath.sinPi(turn) / (2 * quality)
        }
    }

    /// - Parameters:
    ///   - frequency: Hz; above 0.499 × `sampleRate` it counts as that.
    ///   - quality: Q, above 0; √½ is Butterworth's.
    public static func lowPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        let b = (1 - w.cosine) / 2
        return Biquad(b0: b, b1: 2 * b, b2: b, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    public static func highPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        let b = (1 + w.cosine) / 2
        return Biquad(b0: b, b1: -2 * b, b2: b, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    /// - Parameter gain: of the middle, in dB.
    public static func peak(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        let a = ExactMath.gain(decibels: gain / 2)
        return Biquad(
            b0: 1 + w.alpha * a,
            b1: -2 * w.cosine,
            b2: 1 - w.alpha * a,
            a0: 1 + w.alpha / a,
            a1: -2 * w.cosine,
            a2: 1 - w.alpha / a
        )
    }

    public static func notch(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        return Biquad(b0: 1, b1: -2 * w.cosine, b2: 1, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    public static func bandPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        return Biquad(b0: w.alpha, b1: 0, b2: -w.alpha, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    public static func lowShelf(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
        shelf(frequency, quality, gain, sampleRate, side: 1)
    }

    public static func highShelf(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
        shelf(frequency, quality, gain, sampleRate, side: -1)
    }

    /// Both shelves of the cookbook differ in the sign of the cosine, and in that of b1 and a1.
    private static func shelf(_ f: Double, _ q: Double, _ gain: Double, _ rate: Double, side: Double) -> Biquad {
        let w = Angle(f, q, rate)
        let a = ExactMath.gain(decibels: gain / 2)
        let (cosine, slope) = (w.cosine * side, 2 * a.squareRoot() * w.alpha)
        return Biquad(
            b0: a * ((a + 1) - (a - 1) * cosine + slope),
            b1: side * 2 * a * ((a - 1) - (a + 1) * cosine),
            b2: a * ((a + 1) - (a - 1) * cosine - slope),
            a0: (a + 1) + (a - 1) * cosine + slope,
            a1: side * -2 * ((a - 1) + (a + 1) * cosine),
            a2: (a + 1) + (a - 1) * cosine - slope
        )
    }

    /// The sections of a Butterworth filter, each of second order but one where `order` is odd.
    /// - Parameter order: 1 … 8; the slope is 6 dB an octave for each.
    public static func butterworth(
        _ pass: Pass,
        frequency: Double,
        order: Int,
        sampleRate: Double
    ) -> [Biquad] {
        var sections = (0..<order / 2).map { section in
            let quality =
                1 / (2 * ExactMath.cosPi((Double(2 * section) + (order.isMultiple(of: 2) ? 1 : 2)) / Double(2 * order)))
            return pass == .low
                ? lowPass(frequency: frequency, quality: quality, sampleRate: sampleRate)
                : highPass(frequency: frequency, quality: quality, sampleRate: sampleRate)
        }
        if !order.isMultiple(of: 2) { sections.append(firstOrder(pass, frequency: frequency, sampleRate: sampleRate)) }
        return sections
    }

    public enum Pass: Sendable { case low, high }

    /// By the bilinear transform, bent so that −3 dB is at `frequency`.
    private static func firstOrder(_ pass: Pass, frequency: Double, sampleRate: Double) -> Biquad {
        let turn = min(max(frequency, 1e-3), sampleRate * 0.499) / sampleRate
        let k = ExactMath.sinPi(turn) / ExactMath.cosPi(turn)
        return pass == .low
            ? Biquad(b0: k, b1: k, b2: 0, a0: k + 1, a1: k - 1, a2: 0)
            : Biquad(b0: 1, b1: -1, b2: 0, a0: k + 1, a1: k - 1, a2: 0)
    }

    /// The size of the pole that dies away last.
    public var poleRadius: Double {
        let discriminant = a1 * a1 - 4 * a2
        return discriminant < 0 ? a2.squareRoot() : (abs(a1) + discriminant.squareRoot()) / 2
    }

    /// The gain at `frequency`, by the transfer function.
    public func gain(at frequency: Double, sampleRate: Double) -> Double {
        let turn = 2 * frequency / sampleRate
        let (c1, s1) = (ExactMath.cosPi(turn), ExactMath.sinPi(turn))
        let (c2, s2) = (ExactMath.cosPi(2 * turn), ExactMath.sinPi(2 * turn))
        let above = square(b0 + b1 * c1 + b2 * c2) + square(b1 * s1 + b2 * s2)
        let below = square(1 + a1 * c1 + a2 * c2) + square(a1 * s1 + a2 * s2)
        return (above / below).squareRoot()
    }

    private func square(_ x: Double) -> Double { x * x }
}
