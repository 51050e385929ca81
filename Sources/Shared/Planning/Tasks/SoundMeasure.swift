/// What is found out of a mix.
public enum SoundMeasure: Sendable, Hashable, Codable {
    /// As ``LoudnessSummary`` says it. A piece's artifact is a `LoudnessPiece`.
    case loudness
    /// The columns of a waveform. A piece's artifact is a `WaveformPiece`.
    case waveform(grid: WaveformGrid, channels: WaveformOrder.Channels)
}
