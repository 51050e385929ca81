/// What a ``JobSubmission`` orders in place of a movie: to hear the mix and say what it is like.
public struct MeasureOrder: Sendable, Hashable, Codable {
    public var what: SoundMeasure
    /// Samples of a channel after the first that is rendered; nil is 0.
    public var firstSample: Int64?
    /// Samples of a channel from there on; nil is all.
    public var sampleCount: Int64?
    /// As of ``SoundTask/speakers``.
    public var speakers: [String]?

    public init(
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

    /// What of it cannot be done for a mix, as a sentence; nil is nothing.
    /// - Parameters:
    ///   - sampleCount: of a channel, as far as it is heard.
    ///   - channels: of the mix.
    public func problem(sampleCount: Int64, channels: Int) -> String? {
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
    /// Lanes of a waveform of `channels` channels.
    public func count(of channels: Int) -> Int { self == .mixed ? 1 : channels }
}
