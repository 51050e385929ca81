package import CompositionModel

/// What a worker needs to mix and encode the sound of an output, or a piece of it.
///
/// ```
/// timeline    0 ─────────── firstSample ───────────── firstSample + sampleCount ───────
/// encoded           │ preRoll │        sampleCount        │ postRoll │
/// kept                        └───────────────────────────┘
/// ```
package struct SoundTask: Sendable, Hashable, Codable, OrderedObject {
    /// Samples per second per channel.
    package var sampleRate: Int
    /// The number of channels of the mix, 1 to 8.
    package var channels: Int
    /// The loudspeaker of each channel, by libavutil's channel names; nil is the default layout of an edit with this
    /// number of channels.
    package var speakers: [String]?
    /// The number of samples per channel that the task delivers.
    package var sampleCount: Int64
    /// The first delivered sample on the composition's timeline: 0, the start of `--range`, or the start of a piece.
    package var firstSample: Int64
    /// Whether the task is the whole output or a piece of it, with what a piece needs beside its own samples.
    package var extent: SoundExtent
    /// The distinct assets, in order of first use.
    package var assets: [ContentDigest]
    /// The audio tracks in the timeline's samples; `asset` is a position in ``assets``, or in ``nested`` for a nested
    /// edit.
    package var tracks: [AudioTrack]
    /// The nested edits heard as sources, each after those that it plays itself; nil when there are none.
    package var nested: [NestedSound]?
    /// The processors, limiter and loudness of the whole mix; nil when there are none.
    package var master: MasterMix?
    /// The gain that brings the whole mix to the master's loudness, if it was measured earlier; nil measures it first.
    package var loudness: LoudnessGain?
    /// The codec of the sound and its settings.
    package var encoding: AudioEncoding
    /// How the packets are made where some are copied; nil where the encoder makes all of them.
    package var packets: SoundPacketPlan?
    /// The version of the renderer; see ``Renderer/version``.
    package var rendererVersion: Int
    /// The library versions, as in ``PictureTask/libraries``.
    package var libraries: [String: String]?

    package init(
        sampleRate: Int,
        channels: Int,
        speakers: [String]? = nil,
        sampleCount: Int64,
        firstSample: Int64,
        extent: SoundExtent = .whole,
        assets: [ContentDigest],
        tracks: [AudioTrack],
        nested: [NestedSound]? = nil,
        master: MasterMix? = nil,
        loudness: LoudnessGain? = nil,
        encoding: AudioEncoding,
        packets: SoundPacketPlan? = nil,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.speakers = speakers
        self.sampleCount = sampleCount
        self.firstSample = firstSample
        self.extent = extent
        self.assets = assets
        self.tracks = tracks
        self.nested = nested
        self.master = master
        self.loudness = loudness
        self.encoding = encoding
        self.packets = packets
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }

    /// The samples of the timeline that are mixed and encoded: the delivered ones with pre-roll and post-roll. The end
    /// is exclusive.
    package var mixed: Range<Int64> {
        firstSample - extent.preRoll..<firstSample + sampleCount + extent.postRoll
    }
}
