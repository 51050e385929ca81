import CompositionModel
import Pixels
import Samples

/// Hears when tracks are loud, some way ahead of the rest, and lowers another one meanwhile.
final class SidechainDucker {
    typealias Samples = SampleKernels.Samples

    private let envelope: DuckEnvelope
    /// Voices of its own: they are at other samples than those that are heard.
    private let tracks: [TrackVoice]
    private let sums: SampleBuffers
    private let samples: SampleBuffers
    /// Whether blocks from `firstBlock` on are loud.
    private var heard: [Bool] = []
    private var firstBlock: Int64 = 0

    /// - Parameter tracks: voices of the tracks that it listens to, used by nobody else.
    init(_ duck: Duck, tracks: [TrackVoice], channels: Int, sampleRate: Int) {
        envelope = DuckEnvelope(duck, sampleRate: sampleRate)
        self.tracks = tracks
        sums = SampleBuffers(channels: channels)
        samples = SampleBuffers(channels: channels)
    }

    /// Multiplies `gains` by what is left at the timeline's samples from `first` on.
    func multiply(_ gains: Samples, from first: Int64) throws {
        let blocks = envelope.blocks(for: first..<first + Int64(gains.count))
        if blocks.lowerBound < firstBlock || blocks.lowerBound > firstBlock + Int64(heard.count) {
            (heard, firstBlock) = ([], blocks.lowerBound)
        } else {
            heard.removeFirst(Int(blocks.lowerBound - firstBlock))
            firstBlock = blocks.lowerBound
        }
        while firstBlock + Int64(heard.count) < blocks.upperBound {
            heard.append(try isLoud(firstBlock + Int64(heard.count)))
        }
        envelope.multiply(gains, from: first, heard: heard, firstBlock: firstBlock)
    }

    private func isLoud(_ block: Int64) throws -> Bool {
        let start = block * envelope.block
        let range = max(start, 0)..<max(start + envelope.block, 0)
        guard !range.isEmpty, tracks.contains(where: { $0.mayBeHeard(in: range) }) else { return false }
        let sums = sums.take(range.count)
        for channel in sums { SampleKernels.fill(channel, with: 0) }
        for track in tracks {
            let samples = samples.take(range.count)
            try track.read(range, into: samples)
            for (sum, channel) in zip(sums, samples) { SampleKernels.add(channel, to: sum) }
        }
        var square = 0.0
        for channel in sums { for sample in channel { square += sample * sample } }
        return envelope.heard([square / Double(range.count * sums.count)])[0]
    }
}

extension DuckEnvelope {
    init(_ duck: Duck, sampleRate: Int) {
        let count = { (millionths: Int64) in
            Int64((Double(millionths) * Double(sampleRate) / 1_000_000).rounded())
        }
        self.init(
            threshold: Double(duck.threshold) / 1_000_000,
            depth: Double(duck.depth) / 1_000_000,
            attack: count(duck.attack),
            hold: count(duck.hold),
            release: count(duck.release),
            sampleRate: sampleRate
        )
    }
}
