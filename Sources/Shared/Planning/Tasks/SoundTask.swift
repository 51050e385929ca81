public import CompositionModel

/// What a worker needs to mix and encode the sound of an output, or a piece of it.
///
/// ```
/// timeline    0 ─────────── firstSample ───────────── firstSample + sampleCount ───────
/// encoded           │ preRoll │        sampleCount        │ postRoll │
/// kept                        └───────────────────────────┘
/// ```
public struct SoundTask: Sendable, Hashable, Codable {
    /// Samples a second of each channel.
    public var sampleRate: Int
    /// Channels of the mix, 1 to 8.
    public var channels: Int
    /// The loudspeaker of each channel, by libavutil's names; nil stands for those that an edit of so many channels has.
    public var speakers: [String]?
    /// The number of samples of each channel that the task delivers.
    public var sampleCount: Int64
    /// The first sample of the composition's timeline that is delivered: 0, the start of `--range`, or of a piece.
    public var firstSample: Int64
    /// Whether the task is the whole output or a piece of it, with what a piece hears beside its own samples.
    public var extent: SoundExtent
    /// The distinct sources, in order of first use.
    public var assets: [ContentDigest]
    /// The audio tracks in the timeline's samples; `asset` points into ``assets``.
    public var tracks: [AudioTrack]
    /// Edits that are heard as sources, each behind those that it plays itself; nil when there are none.
    public var nested: [NestedSound]?
    /// Processors, limiter and loudness of the whole; nil when there are none.
    public var master: MasterMix?
    /// The gain that brings the whole to the master's loudness, where it was measured before; nil measures first.
    public var loudness: LoudnessGain?
    /// Codec and settings of the output's sound.
    public var encoding: AudioEncoding
    /// The renderer that makes these bytes; raised only when bytes change.
    public var rendererVersion: Int
    /// As ``PictureTask/libraries``.
    public var libraries: [String: String]?

    public init(
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
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }

    /// The samples of the timeline that are mixed and encoded: those that are delivered, with pre-roll and post-roll.
    public var mixed: Range<Int64> {
        firstSample - extent.preRoll..<firstSample + sampleCount + extent.postRoll
    }
}
