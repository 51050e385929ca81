/// A second-order filter, y = b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂, by its coefficients divided by a0.
///
/// The formulas are R. Bristow-Johnson's, "Audio EQ Cookbook" (W3C Note, 2021), with the sine and cosine of
/// ``ExactMath``.
package struct Biquad: Sendable, Hashable {
    package var b0, b1, b2, a1, a2: Double

    package init(b0: Double, b1: Double, b2: Double, a0: Double, a1: Double, a2: Double) {
        self.b0 = b0 / a0
        self.b1 = b1 / a0
        self.b2 = b2 / a0
        self.a1 = a1 / a0
        self.a2 = a2 / a0
    }

    /// The terms that all formulas share, from a frequency in Hz, which is limited to 0.499 × the sample rate, and a
    /// quality Q.
    private struct Angle {
        let cosine: Double
        let alpha: Double

        init(_ frequency: Double, _ quality: Double, _ sampleRate: Double) {
            let turn = 2 * min(max(frequency, 1e-3), sampleRate * 0.499) / sampleRate
            cosine = ExactMath.cosPi(turn)
            alpha = ExactMath.sinPi(turn) / (2 * quality)
        }
    }

    /// A low pass.
    /// - Parameters:
    ///   - frequency: The corner frequency in Hz, limited to 0.499 × `sampleRate`.
    ///   - quality: The quality Q, above 0; √½ gives a Butterworth filter.
    package static func lowPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        let b = (1 - w.cosine) / 2
        return Biquad(b0: b, b1: 2 * b, b2: b, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    /// A high pass, with the parameters of ``lowPass(frequency:quality:sampleRate:)``.
    package static func highPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        let b = (1 + w.cosine) / 2
        return Biquad(b0: b, b1: -2 * b, b2: b, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    /// A peak filter about `frequency`, with the parameters of ``lowPass(frequency:quality:sampleRate:)``.
    /// - Parameter gain: The gain at `frequency`, in dB.
    package static func peak(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
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

    /// A notch that removes `frequency`, with the parameters of ``lowPass(frequency:quality:sampleRate:)``.
    package static func notch(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        return Biquad(b0: 1, b1: -2 * w.cosine, b2: 1, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    /// A band pass with a gain of 0 dB at `frequency`, with the parameters of
    /// ``lowPass(frequency:quality:sampleRate:)``.
    package static func bandPass(frequency: Double, quality: Double, sampleRate: Double) -> Biquad {
        let w = Angle(frequency, quality, sampleRate)
        return Biquad(b0: w.alpha, b1: 0, b2: -w.alpha, a0: 1 + w.alpha, a1: -2 * w.cosine, a2: 1 - w.alpha)
    }

    /// A low shelf.
    /// - Parameter gain: The gain below `frequency`, in dB.
    package static func lowShelf(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
        shelf(frequency, quality, gain, sampleRate, side: 1)
    }

    /// A high shelf.
    /// - Parameter gain: The gain above `frequency`, in dB.
    package static func highShelf(frequency: Double, quality: Double, gain: Double, sampleRate: Double) -> Biquad {
        shelf(frequency, quality, gain, sampleRate, side: -1)
    }

    /// Either shelf of the cookbook: the two differ in the sign of the cosine and in the signs of b1 and a1.
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

    /// The sections of a Butterworth filter, to be applied one after another. Each is of second order; an odd `order`
    /// adds one of first order.
    /// - Parameter order: The order of the filter, 1 … 8; the slope is 6 dB per octave for each order.
    package static func butterworth(
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

    /// The frequencies that a filter lets through.
    package enum Pass: Sendable { case low, high }

    /// A first-order filter by the bilinear transform, prewarped so that the gain at `frequency` is −3 dB.
    private static func firstOrder(_ pass: Pass, frequency: Double, sampleRate: Double) -> Biquad {
        let turn = min(max(frequency, 1e-3), sampleRate * 0.499) / sampleRate
        let k = ExactMath.sinPi(turn) / ExactMath.cosPi(turn)
        return pass == .low
            ? Biquad(b0: k, b1: k, b2: 0, a0: k + 1, a1: k - 1, a2: 0)
            : Biquad(b0: 1, b1: -1, b2: 0, a0: k + 1, a1: k - 1, a2: 0)
    }

    /// The magnitude of the larger pole: the factor by which the slowest part of the impulse response falls per sample.
    package var poleRadius: Double {
        let discriminant = a1 * a1 - 4 * a2
        return discriminant < 0 ? a2.squareRoot() : (abs(a1) + discriminant.squareRoot()) / 2
    }

    /// The factor of amplitude at `frequency` in Hz, by the transfer function.
    package func gain(at frequency: Double, sampleRate: Double) -> Double {
        let turn = 2 * frequency / sampleRate
        let (c1, s1) = (ExactMath.cosPi(turn), ExactMath.sinPi(turn))
        let (c2, s2) = (ExactMath.cosPi(2 * turn), ExactMath.sinPi(2 * turn))
        let above = square(b0 + b1 * c1 + b2 * c2) + square(b1 * s1 + b2 * s2)
        let below = square(1 + a1 * c1 + a2 * c2) + square(a1 * s1 + a2 * s2)
        return (above / below).squareRoot()
    }

    private func square(_ x: Double) -> Double { x * x }
}
