import Samples
import Testing

/// Which blocks of another sound lower this one, and how loud they have to be.
@Suite struct DuckEnvelopeTests {
    /// Blocks of ten samples.
    private let envelope = DuckEnvelope(threshold: -30, depth: 10, attack: 0, hold: 0, release: 5, sampleRate: 1000)

    @Test func theThresholdIsOfTheRootMeanSquare() {
        // −29 and −31 dB.
        #expect(envelope.heard([0.0012589, 0.00079433]) == [true, false])
    }

    @Test func blocksBeforeTheTimelineAreWholeBlocks() {
        #expect(envelope.blocks(for: 0..<10) == -2..<2)
        #expect(envelope.blocks(for: 100..<110) == 8..<12)
    }
}
