/// Noise for samples that will be rounded to integers: the sum of two even ones from −½ to ½ of a step. What rounding
/// adds to the sound then has the mean 0 and a power of a quarter of a step squared, whatever the sound is (S. P.
/// Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and dither: a theoretical survey", JAES 40, 1992).
///
/// A function of channel and sample number alone, so that any piece gets what the whole gets.
package struct TriangularDither: Sendable {
    private let noise: NumberedNoise
    private let step: Double

    /// A seed that no noise of an edit has: those are 0 and more.
    private static let seed: Int64 = -1

    /// - Parameter bits: the bits of the integers that are dithered.
    package init(bits: Int, channel: Int) {
        noise = NumberedNoise(seed: Self.seed, channel: channel)
        step = Double(sign: .plus, exponent: 1 - bits, significand: 1)
    }

    /// - Parameter first: the number of the first of `samples`.
    package func add(to samples: SampleBuffer, from first: Int64) {
        for index in samples.indices { samples[index] += value(first + Int64(index)) * step }
    }

    /// The dither in steps, −1 ..< 1: 32 bits for each of the two.
    func value(_ sample: Int64) -> Double {
        let bits = noise.bits(sample)
        let (one, other) = (Int32(truncatingIfNeeded: bits >> 32), Int32(truncatingIfNeeded: bits))
        return Double(Int64(one) + Int64(other)) * 0x1p-32
    }
}
