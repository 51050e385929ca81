import Pixels
import Testing

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
                SampleKernels.integers24(samples, channel: 1, stride: 2, into: $0)
            }
        }
        #expect(output == [99, expected])
    }

    @Test func floatsAreClipped() {
        var (samples, output) = ([2, -2, 0.25, Double.nan], [Float](repeating: 9, count: 4))
        samples.withUnsafeMutableBufferPointer { samples in
            output.withUnsafeMutableBufferPointer { SampleKernels.floats(samples, into: $0) }
        }
        #expect(output == [Float(SampleKernels.ceiling), -1, 0.25, 0])
    }
}
