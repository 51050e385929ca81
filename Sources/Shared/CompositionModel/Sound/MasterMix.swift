/// The processing of the sum of all tracks, in this order: processors, volume, processors after the volume, limiter,
/// loudness.
public struct MasterMix: Sendable, Hashable, Codable {
    /// The keys of the volume, in samples from the timeline's zero; an empty list means a factor of 1.
    public var volume: [VolumeKey]
    /// The processors in the order in which they work; nil means none.
    public var processors: [SoundProcessor]?
    /// The loudness that the sum is brought to; nil leaves it as it is.
    public var loudness: LoudnessTarget?
    /// The true peak that is never exceeded, in millionths of dBTP; nil limits nothing.
    public var ceiling: Int64?

    public init(
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
    public var limiter: SoundProcessor? { ceiling.map { SoundProcessor(.limiter, [.ceiling: $0]) } }
}
