public import CompositionModel
import Timing

/// The whole programme a piece belongs to; its loudness sets the piece's gain.
public struct SoundProgramme: Sendable, Hashable, Codable {
    /// The digest of everything that determines how the programme sounds, except its encoding.
    public var key: ContentDigest
    /// The programme's first sample on the composition's timeline.
    public var firstSample: Int64
    /// The number of samples per channel.
    public var sampleCount: Int64

    public init(key: ContentDigest, firstSample: Int64, sampleCount: Int64) {
        self.key = key
        self.firstSample = firstSample
        self.sampleCount = sampleCount
    }
}
