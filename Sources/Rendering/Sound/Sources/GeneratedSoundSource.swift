import CompositionModel
import Pixels
import Samples

/// A generated sound, computed where it is read.
final class GeneratedSoundSource: SampleSource {
    private let generator: SoundGenerator
    private let matrix: ChannelMatrix
    private let samples = SampleBuffers(channels: 1)

    /// - Parameter channels: the number of the edit's channels.
    /// - Throws: ``RenderError`` of ``ChannelMatrix/init(of:channels:map:)``.
    init(_ sound: GeneratedSound, _ facts: AudioStreamFacts, channels: Int, map: [[Int64]]?) throws(RenderError) {
        generator = SoundGenerator(sound)
        matrix = try ChannelMatrix(of: facts, channels: channels, map: map)
    }

    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) {
        for channel in channels { SampleKernels.fill(channel, with: 0) }
        let own = samples.take(range.count)[0]
        for source in 0..<generator.sound.channels where matrix.rows.contains(where: { $0[source] != 0 }) {
            generator.read(from: range.lowerBound, channel: source, into: own)
            for (row, channel) in zip(matrix.rows, channels) where row[source] != 0 {
                for index in own.indices { channel[index] += row[source] * own[index] }
            }
        }
    }
}
