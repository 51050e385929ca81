/// A measurement that a ``JobSubmission`` orders in place of a movie: the loudness of the mix, or its waveform.
package struct MeasureOrder: Sendable, Hashable, Codable {
    /// The quantity to measure.
    package var what: SoundMeasure
    /// The first sample to measure, counted per channel from the first sample that the output renders; nil starts at 0.
    package var firstSample: Int64?
    /// The number of samples to measure per channel, cut at the end of the mix; nil measures to the end.
    package var sampleCount: Int64?
    /// The loudspeaker of each channel, as in ``SoundTask/speakers``; ignored unless there is one for each channel.
    package var speakers: [String]?

    package init(
        _ what: SoundMeasure,
        firstSample: Int64? = nil,
        sampleCount: Int64? = nil,
        speakers: [String]? = nil
    ) {
        self.what = what
        self.firstSample = firstSample
        self.sampleCount = sampleCount
        self.speakers = speakers
    }

    /// Says in one sentence why this measurement cannot be made of a mix; nil when it can.
    /// - Parameters:
    ///   - sampleCount: The number of samples per channel in the measured range.
    ///   - channels: The number of channels of the mix, at least 1.
    package func problem(sampleCount: Int64, channels: Int) -> String? {
        guard sampleCount > 0 else { return "There is no sound in the edit, so it has no samples." }
        guard case .waveform(let grid, let lanes) = what else { return nil }
        let most = WaveformOrder.mostColumns / Int64(lanes.count(of: channels))
        switch grid {
        case .evenly(let columns):
            guard !(1...WaveformOrder.longestSide).contains(columns) else { return nil }
            return "A waveform has 1 to \(WaveformOrder.longestSide) columns, and this one \(columns)."
        case .every(let samples):
            guard samples >= 1 else { return "A column of a waveform stands for 1 sample or more." }
            let columns = (sampleCount - 1) / samples + 1
            return columns <= most ? nil : "A waveform has 1 to \(most) columns, and this one \(columns)."
        }
    }
}

extension WaveformOrder.Channels {
    /// The number of lanes in a waveform of a mix with `channels` channels.
    package func count(of channels: Int) -> Int { self == .mixed ? 1 : channels }
}
