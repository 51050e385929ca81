import CVectors

/// Loops over blocks of samples, in Double. Each output sample depends on the inputs at its own place only, so blocks
/// may be cut anywhere. No multiply is fused with an add.
package enum SampleKernels {
    /// The samples of one channel, or their gains.
    package typealias Samples = UnsafeMutableBufferPointer<Double>

    /// samples[i] = value
    package static func fill(_ samples: Samples, with value: Double) {
        for index in samples.indices { samples[index] = value }
    }

    /// samples[i] ×= gains[i]
    package static func multiply(_ samples: Samples, by gains: Samples) {
        precondition(gains.count >= samples.count)
        for index in samples.indices { samples[index] *= gains[index] }
    }

    /// sums[i] += samples[i]
    package static func add(_ samples: Samples, to sums: Samples) {
        precondition(samples.count >= sums.count)
        for index in sums.indices { sums[index] += samples[index] }
    }

    /// sums[i] += factor × channel `channel` of frame i.
    /// - Parameter frames: interleaved, `stride` values a frame.
    package static func add(
        _ frames: UnsafeBufferPointer<Float>,
        channel: Int,
        stride: Int,
        factor: Double,
        to sums: Samples
    ) {
        precondition(frames.count >= sums.count * stride && channel < stride)
        for index in sums.indices { sums[index] += factor * Double(frames[index &* stride &+ channel]) }
    }

    /// frames[i × stride + channel] = samples[i]
    package static func interleave(
        _ samples: UnsafeBufferPointer<Float>,
        channel: Int,
        stride: Int,
        into frames: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(frames.count >= samples.count * stride && channel < stride)
        for index in samples.indices { frames[index &* stride &+ channel] = samples[index] }
    }

    /// The largest value below 1 that 24 bits hold; what is louder is clipped to it, and to −1 below.
    package static let ceiling = 8_388_607.0 / 8_388_608.0

    /// samples[i] = samples[i − period] at `places`, ascending.
    package static func repeatSamples(of samples: Samples, at places: Range<Int>, period: Int) {
        guard !places.isEmpty else { return }
        precondition(period > 0 && places.lowerBound >= period && places.upperBound <= samples.count)
        for index in places { samples[index] = samples[index &- period] }
    }

    /// The last first.
    package static func reverse(_ samples: Samples) {
        var (low, high) = (0, samples.count - 1)
        while low < high {
            samples.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    /// Clips to −1 … ``ceiling``. Not a number becomes silence.
    @inline(__always)
    private static func clipped(_ value: Double) -> Double {
        value > ceiling ? ceiling : value < -1 ? -1 : value == value ? value : 0
    }

    /// Clips and rounds to the nearest Float.
    package static func floats(_ samples: Samples, into output: UnsafeMutableBufferPointer<Float>) {
        precondition(output.count >= samples.count)
        for index in samples.indices { output[index] = Float(clipped(samples[index])) }
    }

    /// Rounds to the nearest Float, without clipping.
    package static func openFloats(_ samples: Samples, into output: UnsafeMutableBufferPointer<Float>) {
        precondition(output.count >= samples.count)
        for index in samples.indices { output[index] = Float(samples[index]) }
    }

    /// Clips and rounds to integers, half away from zero: output[i × stride + channel] = round(samples[i] × 2^(bits −
    /// 1)).
    /// - Parameter bits: 16, 24 or 32; the values lie in the low bits.
    package static func integers(
        _ samples: Samples,
        bits: Int,
        channel: Int,
        stride: Int,
        into output: UnsafeMutableBufferPointer<Int32>,
        vectors: VectorLength = .best
    ) {
        precondition(output.count >= samples.count * stride && 0..<stride ~= channel && 16...32 ~= bits)
        guard let from = samples.baseAddress, let to = output.baseAddress else { return }
        let scale = Double(sign: .plus, exponent: bits - 1, significand: 1)
        cut_round(vectors.value, from, scale, to + channel, stride, samples.count)
    }

    /// values[i] = 10^(values[i] / 20): the gains of decibels, as `ExactMath` in Timing has them.
    /// - Parameter values: those below −12,000 and above 6,000 count as that.
    package static func gains(decibels values: Samples, vectors: VectorLength = .best) {
        guard let base = values.baseAddress else { return }
        cut_gains(vectors.value, base, values.count)
    }
}
