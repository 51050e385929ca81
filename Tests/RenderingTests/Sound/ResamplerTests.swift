import Foundation
import Testing
import Timing

@testable import Rendering

@Suite struct ResamplerTests {
    /// Outputs `range` of `signal`, defined at every source sample, converted from source sample `start` on.
    private func converted(
        _ resampler: Resampler,
        range: Range<Int64>,
        start: Int64 = 0,
        _ signal: (Int64) -> Double
    ) -> [Double] {
        var samples = resampler.sourceRange(of: range, start: start).map(signal)
        var output = [Double](repeating: .nan, count: range.count)
        samples.withUnsafeMutableBufferPointer { samples in
            output.withUnsafeMutableBufferPointer { resampler.convert(samples, range: range, into: $0) }
        }
        return output
    }

    private func decibels(_ value: Double) -> Double { 20 * log10(value) }

    static let rates = [
        (44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (47_952, 48_000), (8_000, 48_000), (22_050, 44_100),
        (192_000, 44_100), (44_101, 48_000), (48_000, 44_101),
    ]

    /// A tone below 0.9 of the lower Nyquist frequency comes out as the same tone, whatever the rates.
    @Test(arguments: rates)
    func sinesAreKept(source: Int, target: Int) throws {
        let resampler = try Resampler(sourceRate: source, targetRate: target)
        let limit = Double(min(source, target)) / 2
        for share in [0.01, 0.23, 0.61, 0.9] {
            let frequency = limit * share
            let output = converted(resampler, range: 1000..<1600, start: -77) {
                sin(2 * .pi * frequency * Double($0) / Double(source) + 0.3)
            }
            let expected = (1000..<1600).map { n in
                sin(2 * .pi * frequency * (-77 / Double(source) + Double(n) / Double(target)) + 0.3)
            }
            let worst = zip(output, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(decibels(worst) < -125, "\(source) → \(target), \(frequency) Hz")
        }
    }

    @Test func flatToTwentyKilohertz() throws {
        let resampler = try Resampler(sourceRate: 44_100, targetRate: 48_000)
        let output = converted(resampler, range: 0..<480) { cos(2 * .pi * 20_000 * Double($0) / 44_100) }
        for (n, value) in output.enumerated() {
            #expect(abs(value - cos(2 * .pi * 20_000 * Double(n) / 48_000)) < 1e-6)
        }
    }

    /// What the target cannot hold is gone, not folded back.
    @Test(arguments: [(48_000, 44_100, 22_060), (96_000, 48_000, 24_010), (96_000, 48_000, 40_000)])
    func whatIsAboveTheTargetIsGone(source: Int, target: Int, frequency: Int) throws {
        let resampler = try Resampler(sourceRate: source, targetRate: target)
        let output = converted(resampler, range: 0..<2000) {
            sin(2 * .pi * Double(frequency) * Double($0) / Double(source))
        }
        #expect(decibels(output.map(abs).max() ?? 1) < -120)
    }

    /// No mirror image of a tone of 20 kHz above the source's Nyquist frequency: what remains after the tone is taken
    /// away is silence.
    @Test func noImages() throws {
        let resampler = try Resampler(sourceRate: 44_100, targetRate: 96_000)
        let output = converted(resampler, range: 0..<9600) { sin(2 * .pi * 21_900 * Double($0) / 44_100) }
        // The image of 21,900 Hz would lie at 22,200 Hz.
        var (real, imaginary) = (0.0, 0.0)
        for (n, value) in output.enumerated() {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(n) / 9600)
            let angle = 2 * .pi * 22_200 * Double(n) / 96_000
            real += window * value * cos(angle)
            imaginary += window * value * sin(angle)
        }
        #expect(decibels((real * real + imaginary * imaginary).squareRoot() / 2400) < -120)
    }

    @Test(arguments: rates)
    func aConstantStaysIt(source: Int, target: Int) throws {
        let resampler = try Resampler(sourceRate: source, targetRate: target)
        #expect(converted(resampler, range: 5..<500) { _ in 0.75 }.allSatisfy { abs($0 - 0.75) < 1e-14 })
    }

    /// Output 0 lies at the phase nearest to the fraction, and as much before the sample in the mirror image.
    @Test(arguments: [1.0, -1]) func aFractionMovesEveryOutput(side: Double) throws {
        let moved = try Resampler(sourceRate: 44_100, targetRate: 48_000).starting(at: RationalTime(999, 1600))
        let resampler = side < 0 ? moved.mirrored : moved
        let turn = 2 * Double.pi * 5000 / 44_100
        let output = converted(resampler, range: 0..<400, start: 1000) { sin(turn * Double($0)) }
        for (n, value) in output.enumerated() {
            let place = 1000 + side * 100 / 160 + Double(n) * 147 / 160
            #expect(abs(value - sin(turn * place)) < 1e-6)
        }
    }

    /// The response to one sample is even around it: nothing is early or late by a fraction.
    @Test func anImpulseIsSymmetric() throws {
        let resampler = try Resampler(sourceRate: 24_000, targetRate: 48_000)
        let output = converted(resampler, range: 0..<2001) { $0 == 500 ? 1 : 0 }
        #expect(output.indices.max { output[$0] < output[$1] } == 1000)
        #expect((1..<200).allSatisfy { abs(output[1000 - $0] - output[1000 + $0]) < 1e-9 })
        #expect(output[0..<800].allSatisfy { $0 == 0 })
    }

    @Test(arguments: rates)
    func anySplitGivesTheSameBits(source: Int, target: Int) throws {
        let resampler = try Resampler(sourceRate: source, targetRate: target)
        func signal(_ n: Int64) -> Double { Double((n &* 2_654_435_761) & 0xffff) / 65_536 - 0.5 }
        let whole = converted(resampler, range: 0..<1200, start: 12_345, signal)
        for count in [1, 7, 64, 333] {
            let pieces = stride(from: 0, to: 1200, by: count).flatMap {
                converted(resampler, range: Int64($0)..<Int64(min($0 + count, 1200)), start: 12_345, signal)
            }
            #expect(pieces == whole, "blocks of \(count)")
        }
    }

    @Test func farOutItIsStillExact() throws {
        let resampler = try Resampler(sourceRate: 44_100, targetRate: 48_000)
        // 160 outputs are exactly 147 samples: the same phase after a thousand years.
        let far: Int64 = 160 * 10_000_000_000
        let near = converted(resampler, range: 0..<320) { Double($0 % 97) }
        let later = converted(resampler, range: far..<far + 320) { Double(($0 - 147 * 10_000_000_000) % 97) }
        #expect(near == later)
    }

    @Test func equalRatesPassUntouched() throws {
        let resampler = try Resampler(sourceRate: 44_100, targetRate: 44_100)
        #expect(resampler.sourceRange(of: 3..<9, start: -5) == -2..<4)
        #expect(converted(resampler, range: 3..<9, start: -5) { Double($0) / 3 } == (-2..<4).map { Double($0) / 3 })
    }

    @Test func awkwardRatiosStaySmall() throws {
        let filter = ResamplingFilter(ratio: try SampleRateRatio(source: 44_101, target: 48_000))
        #expect(!filter.isExact)
        #expect(filter.rows.count <= ResamplingFilter.coefficientLimit)
    }

    @Test(arguments: [(0, 48_000), (48_000, 0), (500, 48_000), (48_000, 600), (2_000_000, 48_000)])
    func impossibleRatesAreRefused(source: Int, target: Int) {
        #expect(throws: RenderError.self) { try Resampler(sourceRate: source, targetRate: target) }
    }
}
