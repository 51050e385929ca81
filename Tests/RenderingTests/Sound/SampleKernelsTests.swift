import Pixels
import TestSupport
import Testing
import Timing

@Suite struct SampleKernelsTests {
    /// Half away from zero, clipped to what 24 bits hold.
    @Test(
        arguments: [
            (0.0, 0), (0.5, 1), (-0.5, -1), (0.49999999999999994, 0), (-0.49999999999999994, 0), (1.5, 2), (-2.5, -3),
            (8_388_606.5, 8_388_607), (8_388_607, 8_388_607), (8_388_608, 8_388_607), (1e12, 8_388_607),
            (-8_388_607.5, -8_388_608), (-8_388_608, -8_388_608), (-1e12, -8_388_608), (Double.infinity, 8_388_607),
            (-Double.infinity, -8_388_608), (Double.nan, 0),
        ] as [(Double, Int32)]
    )
    func roundsToTwentyFourBits(steps: Double, expected: Int32) {
        var (samples, output) = ([steps / 8_388_608], [Int32](repeating: 99, count: 2))
        samples.withUnsafeMutableBufferPointer { samples in
            output.withUnsafeMutableBufferPointer {
                SampleKernels.integers(samples, bits: 24, channel: 1, stride: 2, into: $0)
            }
        }
        #expect(output == [99, expected])
    }

    @Test(
        arguments: [
            (16, 0.5, 16_384), (16, 1, 32_767), (16, -1.5, -32_768), (16, 0.5 / 32_768, 1), (32, 1, .max),
            (32, -1, .min),
            (32, 0.25, 1 << 29), (32, Double.nan, 0),
        ] as [(Int, Double, Int32)]
    )
    func roundsToSixteenAndThirtyTwoBits(bits: Int, sample: Double, expected: Int32) {
        var (samples, output) = ([sample], [Int32](repeating: 99, count: 1))
        samples.withUnsafeMutableBufferPointer { samples in
            output.withUnsafeMutableBufferPointer {
                SampleKernels.integers(samples, bits: bits, channel: 0, stride: 1, into: $0)
            }
        }
        #expect(output == [expected])
    }

    @Test func floatsAreClipped() {
        var (samples, output) = ([2, -2, 0.25, Double.nan], [Float](repeating: 9, count: 4))
        samples.withUnsafeMutableBufferPointer { samples in
            output.withUnsafeMutableBufferPointer { SampleKernels.floats(samples, into: $0) }
        }
        #expect(output == [Float(SampleKernels.ceiling), -1, 0.25, 0])
    }

    /// Whoever computes it, for a block or for one key: 10^(x / 20) has one value.
    @Test(arguments: VectorLength.supported) func gainsAreExactMath(vectors: VectorLength) {
        var random = SplitMix(state: 5)
        let special = [
            0, -0.0, 6.020599913201295, -6, 3.0102999566, -3.0102999566, 20, -120, -6154, -6160, -12_000, -1e12, 400,
        ]
        let decibels = special + (0..<4001).map { _ in Double(random.below(1 << 40) - 1 << 39) / Double(1 << 32) }
        var gains = decibels
        gains.withUnsafeMutableBufferPointer { SampleKernels.gains(decibels: $0, vectors: vectors) }
        #expect(gains == decibels.map { ExactMath.gain(decibels: $0) })
        #expect(gains[0] == 1 && gains[1] == 1 && abs(gains[6] - 10) < 1e-14 && gains[11] == 0)
    }
}
