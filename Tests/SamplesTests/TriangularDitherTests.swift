import CompositionModel
import Testing

@testable import Samples

/// The numbers by which triangular dither is judged (Lipshitz, Wannamaker, Vanderkooy 1992), in steps.
@Suite struct TriangularDitherTests {
    private static let count = 1 << 20

    private func values(_ channel: Int, from first: Int64 = 0) -> [Double] {
        let dither = TriangularDither(bits: 16, channel: channel)
        return (0..<Int64(Self.count)).map { dither.value(first + $0) }
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test func valuesAreTriangular() {
        let values = values(0)
        #expect(values.allSatisfy { $0 >= -1 && $0 < 1 })
        #expect(abs(mean(values)) < 0.002 && abs(mean(values.map { $0 * $0 }) - 1.0 / 6) < 0.001)
        // Of a triangle, a quarter lies beyond half a step.
        let far = values.filter { abs($0) >= 0.5 }.count
        #expect(abs(Double(far) / Double(Self.count) - 0.25) < 0.002)
    }

    /// Neither another sample's nor another channel's, nor the noise that an edit may ask for.
    @Test func valuesHaveNothingToDoWithEachOther() {
        let (left, right) = (values(0), values(1))
        let noise = SoundGenerator(
            GeneratedSound(
                kind: .noise,
                sampleRate: 48_000,
                channels: 1,
                sampleCount: Int64(Self.count),
                level: 0,
                color: .white,
                seed: 0
            )
        )
        let white = [Double](unsafeUninitializedCapacity: Self.count) { buffer, count in
            noise.read(from: 0, channel: 0, into: UnsafeMutableBufferPointer(rebasing: buffer[..<Self.count]))
            count = Self.count
        }
        for others in [right, Array(left.dropFirst()), Array(left.dropFirst(2)), white] {
            #expect(abs(mean(zip(left, others).map { $0 * $1 })) < 0.002)
        }
    }

    /// Mean 0 and a quarter of a step squared, wherever between two steps the sound lies; without dither both follow
    /// the sound.
    @Test(arguments: [0, 0.1, 0.25, 0.5, 0.75, -0.4, 1000.3]) func theErrorIsThatOfNoSound(steps: Double) {
        var samples = [Double](repeating: steps / 32_768, count: Self.count)
        samples.withUnsafeMutableBufferPointer { TriangularDither(bits: 16, channel: 0).add(to: $0, from: 0) }
        let errors = samples.map { ($0 * 32_768).rounded(.toNearestOrAwayFromZero) - steps }
        #expect(abs(mean(errors)) < 0.003, "\(mean(errors))")
        #expect(abs(mean(errors.map { $0 * $0 }) - 0.25) < 0.003, "\(mean(errors.map { $0 * $0 }))")
    }

    @Test func anyPieceIsTheWhole() {
        let whole = values(1)
        let dither = TriangularDither(bits: 24, channel: 1)
        for piece in [0..<1, 77..<4173, 4096..<8192] {
            var samples = [Double](repeating: 0, count: piece.count)
            samples.withUnsafeMutableBufferPointer { dither.add(to: $0, from: Int64(piece.lowerBound)) }
            #expect(samples == whole[piece].map { $0 / 8_388_608 })
        }
    }
}
