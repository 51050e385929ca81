public import CompositionModel
import Timing

/// The whole sound of a nested edit, as a source of a task.
public struct NestedSound: Sendable, Hashable, Codable {
    public var sampleRate: Int
    public var channels: Int
    /// Samples per channel.
    public var sampleCount: Int64
    /// In its own samples, `asset` pointing into `assets` or `nested` of the task.
    public var tracks: [AudioTrack]
    /// Nil does nothing.
    public var master: MasterMix?

    public init(
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
