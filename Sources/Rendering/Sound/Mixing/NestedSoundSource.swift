import Pixels

/// The sound of a nested edit, mixed when it is read.
final class NestedSoundSource: SampleSource {
    private let mixer: SoundMixer
    private let sampleCount: Int64
    private let matrix: ChannelMatrix
    private let mixed: SampleBuffers

    /// - Parameter channels: the number of channels of the edit that plays it.
    /// - Throws: ``RenderError`` `unsupported_channels`, `invalid_sound_task`.
    init(_ mixer: SoundMixer, _ plan: MixPlan, channels: Int, map: [[Int64]]?) throws(RenderError) {
        self.mixer = mixer
        sampleCount = plan.window.upperBound
        matrix = try ChannelMatrix(ofEdit: plan.channels, channels: channels, map: map)
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
