import CompositionModel
import Pixels
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Processors over many cells.
@Suite struct ProcessorChainTests {
    private static let settings = [SoundProcessor(.reverb, [.decay: 1_000_000]), SoundProcessor(.limiter)]

    /// A number of its own for every sample.
    private static func value(_ sample: Int64) -> Double {
        var numbers = SplitMix(state: UInt64(bitPattern: sample))
        return Double(numbers.below(2_000_001) - 1_000_000) / 1_000_000
    }

    /// The samples `range` of the left channel. - Parameter asked: told what the chain asks for.
    private func read(
        _ chain: ProcessorChain,
        _ range: Range<Int64>,
        asked: (Range<Int64>) -> Void = { _ in }
    ) throws -> [Double] {
        let buffers = SampleBuffers(channels: 2)
        let held = buffers.take(range.count)
        try chain.read(range, into: held) { range, channels in
            asked(range)
            for sample in range {
                for channel in channels {
                    channel[Int(sample - range.lowerBound)] = sample < 0 ? 0 : Self.value(sample)
                }
            }
        }
        return Array(held[0])
    }

    private func chain() -> ProcessorChain { ProcessorChain(Self.settings, channels: 2, sampleRate: 8000) }

    /// What lies before a chain may have to begin anew to go back: it is asked for each sample once.
    @Test func whatGoesInIsAskedForForwardsOnly() throws {
        let cell = ProcessorReach(Self.settings, sampleRate: 8000).cell
        let chain = chain()
        var (next, reads): (Int64, Int) = (0, 0)
        for place in stride(from: Int64(0), to: 3 * cell, by: 10_007) {
            _ = try read(chain, place..<place + 10_007) { range in
                #expect(range.lowerBound == next)
                (next, reads) = (range.upperBound, reads + 1)
            }
        }
        #expect(reads > 100)
    }

    /// From one cell into the next, a little back over the border, and from anywhere: the same samples.
    @Test func readersMayGoBackOverABorder() throws {
        let cell = ProcessorReach(Self.settings, sampleRate: 8000).cell
        let (one, other) = (chain(), chain())
        _ = try read(one, cell - 9000..<cell + 3000)
        let counted = try { () throws -> ([Double], Int) in
            var count = 0
            let samples = try read(one, cell - 50..<cell + 3050) { _ in count += 1 }
            return (samples, count)
        }()
        #expect(counted.1 <= 2, "the cell before was made anew")
        let fresh = try read(other, cell - 50..<cell + 3050)
        #expect(counted.0 == fresh)
        let last = try read(other, 2 * cell - 50..<2 * cell + 50)
        #expect(try read(chain(), 2 * cell - 50..<2 * cell + 50) == last)
        // Far back, then forwards again.
        _ = try read(one, 100..<200)
        #expect(try read(one, cell - 50..<cell + 3050) == fresh)
    }
}
