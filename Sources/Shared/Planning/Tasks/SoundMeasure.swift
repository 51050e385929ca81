/// The quantity that is measured of a mix.
package enum SoundMeasure: Sendable, Hashable, Codable {
    /// The loudness, reported as a ``LoudnessSummary``. A piece's artifact is a `LoudnessPiece`.
    case loudness
    /// The columns of a waveform. A piece's artifact is a `WaveformPiece`.
    case waveform(grid: WaveformGrid, channels: WaveformOrder.Channels)
}
