import TestSupport
import Testing

@testable import Pixels

/// Loops that are written for several lengths of vectors give the bits of the plainest loop.
@Suite struct VectorLengthTests {
    private static func noise(_ count: Int, seed: UInt64) -> [Double] {
        var random = SplitMix(state: seed)
        return (0..<count).map { _ in Double(random.below(2_000_001) - 1_000_000) / 999_983 }
    }

    /// Eight sums, added in pairs: those four apart, those two apart, the last two.
    private static func dot(_ samples: ArraySlice<Double>, _ row: ArraySlice<Double>) -> Double {
        var sums = [Double](repeating: 0, count: 8)
        for (place, (sample, factor)) in zip(samples, row).enumerated() { sums[place % 8] += sample * factor }
        let four = (0..<4).map { sums[$0] + sums[$0 + 4] }
        return (four[0] + four[2]) + (four[1] + four[3])
    }

    @Test(arguments: VectorLength.supported)
    func polyphase(vectors: VectorLength) {
        for (taps, numerator, denominator, count) in [
            (8, 1, 1, 33), (192, 147, 160, 1500), (24, 7, 3, 500), (16, 160, 147, 147 * 4 + 1), (32, 3, 1, 12),
            (8, 1, 700, 30), (192, 147, 160, 1), (192, 147, 160, 0),
        ] {
            for phase in [0, denominator - 1, denominator / 2] {
                let samples = Self.noise((count * numerator) / denominator + taps + 4, seed: 7)
                let rows = Self.noise(denominator * taps, seed: UInt64(denominator))
                let walk = DotProduct.Walk(
                    sample: 1,
                    phase: phase,
                    numerator: numerator,
                    denominator: denominator
                )
                var output = [Double](repeating: 0, count: count)
                rows.withUnsafeBufferPointer { rows in
                    samples.withUnsafeBufferPointer { samples in
                        output.withUnsafeMutableBufferPointer { output in
                            let bank = DotProduct.Bank(rows: rows, tapCount: taps)
                            DotProduct.polyphase(samples, bank, from: walk, into: output, vectors: vectors)
                        }
                    }
                }
                let expected = (0..<count).map { index in
                    let (whole, rest) = (phase + index * numerator).quotientAndRemainder(dividingBy: denominator)
                    return Self.dot(samples[(1 + whole)...].prefix(taps), rows[(rest * taps)...].prefix(taps))
                }
                #expect(output == expected, "\(taps) taps, \(numerator)/\(denominator) from \(phase)")
            }
        }
    }

    @Test(arguments: VectorLength.supported)
    func rounding(vectors: VectorLength) {
        let special = [
            0.5 / 8_388_608, -0.5 / 8_388_608, 0.49999999999999994 / 8_388_608, 1, -1, 2, -2, .infinity, -.infinity,
            .nan,
        ]
        let samples = special + Self.noise(517, seed: 3)
        for bits in [16, 24, 32] {
            let scale = Double(1 << (bits - 1))
            let expected = samples.map { sample -> Int32 in
                if sample.isNaN { return 0 }
                return Int32(min(max(sample * scale, -scale), scale - 1).rounded(.toNearestOrAwayFromZero))
            }
            for stride in [1, 2, 6] {
                var output = [Int32](repeating: 99, count: samples.count * stride)
                var copy = samples
                copy.withUnsafeMutableBufferPointer { samples in
                    output.withUnsafeMutableBufferPointer { output in
                        SampleKernels.integers(
                            samples,
                            bits: bits,
                            channel: stride - 1,
                            stride: stride,
                            into: output,
                            vectors: vectors
                        )
                    }
                }
                #expect(samples.indices.map { output[$0 * stride + stride - 1] } == expected)
                #expect(output.count { $0 == 99 } >= samples.count * (stride - 1))
            }
        }
    }

    /// In a process of its own: it stays switched off.
    @Test func switchedOffTheBestIsPlain() async {
        await #expect(processExitsWith: .success) {
            guard VectorLength.best == VectorLength.supported.last else { preconditionFailure("off from the start") }
            VectorLength.switchOff()
            precondition(VectorLength.best == .plain)
        }
    }
}
