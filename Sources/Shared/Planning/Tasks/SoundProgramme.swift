public import CompositionModel
import Timing

/// The programme that a piece of sound is of, all of which counts for how loud the piece is made.
public struct SoundProgramme: Sendable, Hashable, Codable {
    /// Digest of all that determines how it sounds, but for its encoding.
    public var key: ContentDigest
    /// Its first sample on the timeline.
    public var firstSample: Int64
    /// Samples of a channel.
    public var sampleCount: Int64

    public init(key: ContentDigest, firstSample: Int64, sampleCount: Int64) {
        self.key = key
        self.firstSample = firstSample
        self.sampleCount = sampleCount
    }
}
