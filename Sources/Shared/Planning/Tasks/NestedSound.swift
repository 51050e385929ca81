package import CompositionModel
import Timing

/// The whole sound of a nested edit, used as a source of a task.
package struct NestedSound: Sendable, Hashable, Codable {
    /// Samples per second per channel.
    package var sampleRate: Int
    /// The number of channels of the nested mix.
    package var channels: Int
    /// The number of samples per channel.
    package var sampleCount: Int64
    /// The audio tracks, in the nested edit's own samples; `asset` is a position in the task's `assets` or `nested`.
    package var tracks: [AudioTrack]
    /// The processors, limiter and loudness of the nested mix; nil when there are none.
    package var master: MasterMix?

    package init(
        sampleRate: Int,
        channels: Int,
        sampleCount: Int64,
        tracks: [AudioTrack],
        master: MasterMix? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleCount = sampleCount
        self.tracks = tracks
        self.master = master
    }
}
