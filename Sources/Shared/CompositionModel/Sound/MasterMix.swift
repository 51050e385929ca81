/// The processing of the sum of all tracks, in this order: processors, volume, processors after the volume, limiter,
/// loudness.
package struct MasterMix: Sendable, Hashable, Codable {
    /// The keys of the volume, in samples from the timeline's zero; an empty list means a factor of 1.
    package var volume: [VolumeKey]
    /// The processors in the order in which they work; nil means none.
    package var processors: [SoundProcessor]?
    /// The loudness that the sum is brought to; nil leaves it as it is.
    package var loudness: LoudnessTarget?
    /// The true peak that is never exceeded, in millionths of dBTP; nil limits nothing.
    package var ceiling: Int64?

    package init(
        volume: [VolumeKey] = [],
        processors: [SoundProcessor]? = nil,
        loudness: LoudnessTarget? = nil,
        ceiling: Int64? = nil
    ) {
        (self.volume, self.processors, self.loudness, self.ceiling) = (volume, processors, loudness, ceiling)
    }
}

extension MasterMix {
    /// The limiter that keeps ``ceiling``; nil without one.
    package var limiter: SoundProcessor? { ceiling.map { SoundProcessor(.limiter, [.ceiling: $0]) } }
}
