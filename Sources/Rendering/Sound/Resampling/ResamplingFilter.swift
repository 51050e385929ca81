import Timing

/// The coefficients of a resampler: a sinc in a Kaiser window, sampled at the phases that a ratio needs.
///
/// With s = min(1, target / source), frequencies relative to the source's Nyquist: flat to s·400/441 (20 kHz of
/// 44.1 kHz), below −130 dB from s on, so that nothing folds back or mirrors. The cutoff lies between the two. Length
/// by Kaiser's formula: (A − 7.95) / (14.36 · Δf) with A = 135 and Δf = s · 41/882 is 192 / s taps.
///
/// Every row of coefficients is divided by its sum: a constant stays that constant at every phase.
struct ResamplingFilter {
    /// Taps on either side of a position. A multiple of 4, so that a row is whole vectors of 8.
    let halfWidth: Int
    /// Rows in memory, `2 × halfWidth` coefficients each.
    let rows: [Double]
    /// Whether each row is the phase row/denominator exactly; else row n is the phase (n − 1) / ``gridSteps``.
    let isExact: Bool

    /// Ratios with more coefficients than this (4 MiB) are interpolated from a grid of phases instead: cubic between
    /// 512 phases a sample is right to 1e-10 (``DotProduct/grid``).
    static let coefficientLimit = 1 << 19
    static let gridSteps = 512

    var tapCount: Int { 2 * halfWidth }

    /// The filter that a ratio needs, with its rows computed.
    init(ratio: SampleRateRatio) {
        let widening = max(ratio.numerator, ratio.denominator)
        let width = (96 * widening + ratio.denominator - 1) / ratio.denominator
        halfWidth = Int((width + 3) / 4 * 4)
        isExact = ratio.denominator * Int64(2 * halfWidth) <= Int64(ResamplingFilter.coefficientLimit)
        let cutoff = min(1, Double(ratio.denominator) / Double(ratio.numerator)) * 841 / 882
        let window = KaiserSinc(cutoff: cutoff, halfWidth: halfWidth)
        // The grid has one phase more before 0 and two more after 1, where the cubic reaches.
        let phases = isExact ? 0..<ratio.denominator : -1..<Int64(ResamplingFilter.gridSteps + 2)
        let steps = isExact ? ratio.denominator : Int64(ResamplingFilter.gridSteps)
        rows = phases.flatMap { window.row(phase: Double($0) / Double(steps)) }
    }
}

extension ResamplingFilter {
    /// The filter of a source that has no more samples than the output, 96 on either side, at a distance.
    static func equalRates(at distance: Double) -> Double {
        KaiserSinc(cutoff: 841.0 / 882, halfWidth: 96).value(at: distance)
    }
}

/// A sinc in a Kaiser window with β = 14 (sidelobes below −135 dB).
private struct KaiserSinc {
    /// Relative to the source's Nyquist frequency.
    let cutoff: Double
    let halfWidth: Int

    /// Coefficients for the samples `floor − halfWidth + 1 … floor + halfWidth` around position `floor + phase`.
    func row(phase: Double) -> [Double] {
        let row = (0..<2 * halfWidth).map { value(at: Double(halfWidth - 1 - $0) + phase) }
        let sum = row.reduce(0, +)
        return row.map { $0 / sum }
    }

    func value(at distance: Double) -> Double {
        let relative = distance / Double(halfWidth)
        let inside = 1 - relative * relative
        guard inside > 0 else { return 0 }
        return ExactMath.sincPi(cutoff * distance) * ExactMath.besselI0(14 * inside.squareRoot())
    }
}
