/// The loudness (EBU R 128) to which one gain brings a whole programme.
package struct LoudnessTarget: Sendable, Hashable, Codable {
    /// The values allowed for ``integrated``, in millionths of LUFS.
    package static let targets: ClosedRange<Int64> = -60_000_000 ... -5_000_000
    /// The values allowed for ``truePeak``, in millionths of dBTP.
    package static let peaks: ClosedRange<Int64> = -40_000_000...0
    /// The largest number of measurements of a programme with gain and limiter; they follow the measurement of the
    /// unprocessed mix.
    package static let mostLimitedRounds = 3

    /// The integrated loudness, in millionths of LUFS.
    package var integrated: Int64
    /// The largest true peak, in millionths of dBTP; a limiter keeps it where the gain would exceed it.
    package var truePeak: Int64

    package init(integrated: Int64, truePeak: Int64) {
        (self.integrated, self.truePeak) = (integrated, truePeak)
    }
}

extension LoudnessTarget {
    /// The limiter that keeps ``truePeak`` where the gain would exceed it.
    package var limiter: SoundProcessor { SoundProcessor(.limiter, [.ceiling: truePeak]) }
}

/// The gain that brings a measured programme to its loudness.
package struct LoudnessGain: Sendable, Hashable, Codable {
    /// The gain in millionths of a dB.
    package var millionths: Int64
    /// Whether ``LoudnessTarget/limiter`` follows the gain.
    package var isLimited: Bool

    package init(millionths: Int64, isLimited: Bool) {
        (self.millionths, self.isLimited) = (millionths, isLimited)
    }
}
