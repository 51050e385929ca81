package import CompositionModel
import Timing

/// The whole programme a piece belongs to; its loudness sets the piece's gain.
package struct SoundProgramme: Sendable, Hashable, Codable {
    /// The digest of everything that determines how the programme sounds, except its encoding.
    package var key: ContentDigest
    /// The programme's first sample on the composition's timeline.
    package var firstSample: Int64
    /// The number of samples per channel.
    package var sampleCount: Int64

    package init(key: ContentDigest, firstSample: Int64, sampleCount: Int64) {
        self.key = key
        self.firstSample = firstSample
        self.sampleCount = sampleCount
    }
}
