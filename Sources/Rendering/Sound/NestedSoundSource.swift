import Pixels
import Shared

/// The sound of a nested edit, mixed when it is read.
final class NestedSoundSource: SampleSource {
    private let mixer: SoundMixer
    private let sampleCount: Int64
    private let matrix: ChannelMatrix
    private let mixed: SampleBuffers

    /// - Parameter channels: of the edit that plays it.
    init(_ mixer: SoundMixer, _ plan: MixPlan, channels: Int) throws(RenderError) {
        guard let layout = ChannelLayout(description: "", count: plan.channels) else {
            throw RenderError(
                "unsupported_channels",
                "A nested edit has \(plan.channels) channels.",
                isPermanent: true
            )
        }
        self.mixer = mixer
        sampleCount = plan.window.upperBound
        matrix = ChannelMatrix(from: layout, channels: channels)
        mixed = SampleBuffers(channels: plan.channels)
    }

    func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) throws {
        for channel in channels { SampleKernels.fill(channel, with: 0) }
        let part = range.clamped(to: 0..<sampleCount)
        guard !part.isEmpty else { return }
        let samples = mixed.take(part.count)
        try mixer.mix(from: part.lowerBound, into: samples)
        let start = Int(part.lowerBound - range.lowerBound)
        for (row, channel) in zip(matrix.rows, channels) {
            for (factor, sample) in zip(row, samples) where factor != 0 {
                for index in 0..<part.count { channel[start + index] += factor * sample[index] }
            }
        }
    }
}
