package import Timing

/// One sequence of sound pieces. Pieces may overlap (crossfades); they are summed.
package struct AudioTrack: Sendable, Hashable, Codable, OrderedObject {
    package var id: String
    package var segments: [AudioTrackSegment]
    /// The keys of the volume, in samples from the timeline's zero; an empty list means a factor of 1.
    package var volume: [VolumeKey]
    /// The pan of the track, as that of a segment; keys are samples from the timeline's zero.
    package var pan: [SoundKey]?
    /// The balance of the track, as that of a segment; keys are samples from the timeline's zero.
    package var balance: [SoundKey]?
    /// The processors in the order in which they work; nil means none.
    package var processors: [SoundProcessor]?
    /// The lowering of this track under other tracks; nil means none.
    package var duck: Duck?

    package init(
        id: String,
        segments: [AudioTrackSegment],
        volume: [VolumeKey],
        pan: [SoundKey]? = nil,
        balance: [SoundKey]? = nil,
        processors: [SoundProcessor]? = nil,
        duck: Duck? = nil
    ) {
        self.id = id
        self.segments = segments
        self.volume = volume
        self.pan = pan
        self.balance = balance
        self.processors = processors
        self.duck = duck
    }
}

/// One piece of sound on a track.
package struct AudioTrackSegment: Sendable, Hashable, Codable, OrderedObject {
    /// The first sample on the timeline, at the edit's sample rate.
    package var start: Int64
    /// The number of samples on the timeline, at the edit's sample rate.
    package var count: Int64
    /// The position in ``Composition/assets``, or in ``Composition/nested`` when ``isNested`` is true.
    package var asset: Int
    /// The stream's index in libavformat.
    package var stream: Int
    /// The sample of the stream heard at `start`, at the stream's own rate; 0 is the first audible one. It may be
    /// negative or past the end, where silence is heard.
    package var sourceStart: Int64
    /// The part of a source sample behind `sourceStart` at which the piece begins, from 0 up to 1 and never 1; nil means
    /// 0. It counts where the sound is brought to another rate: there a piece that was cut in two goes on between two
    /// samples.
    package var sourceFraction: RationalTime?
    /// The keys of the volume, in samples from `start`; an empty list means a factor of 1.
    package var volume: [VolumeKey]
    /// The crossfade from the start of the piece; nil means none.
    @OptionalCopyOnWrite package var fadeIn: Crossfade? = nil
    /// The crossfade to the end of the piece; nil means none.
    @OptionalCopyOnWrite package var fadeOut: Crossfade? = nil
    /// The source seconds per second of the timeline; nil means 1. Below 0 the sound runs backwards from `sourceStart`.
    /// The pitch changes with the speed unless `keepsPitch` is true. Speed 0 requires `keepsPitch` and holds the sound
    /// around `sourceStart`.
    package var speed: RationalTime?
    /// A speed that changes, in place of `speed`; a piece with a curve has no `loop`.
    @OptionalCopyOnWrite package var curve: SoundCurve? = nil
    /// Whether `asset` is a nested edit; nil is false.
    package var isNested: Bool?
    /// Whether the sound keeps its pitch at another speed; nil means no.
    package var keepsPitch: Bool?
    /// The samples of the source that are heard again and again; nil plays on.
    @OptionalCopyOnWrite package var loop: SampleLoop? = nil
    /// The pan of a sound of two channels, −1 … 1: it moves the sound to one side. Keys are samples from `start`; nil
    /// means 0.
    package var pan: [SoundKey]?
    /// The balance of a sound of two channels, −1 … 1: it lowers the other side. Keys are samples from `start`; nil
    /// means 0.
    package var balance: [SoundKey]?
    /// The processors in the order in which they work; nil means none.
    package var processors: [SoundProcessor]?
    /// The gains in millionths: one row per channel of the edit, with one gain per channel of the source; gains missing
    /// from a row are 0. nil means that the loudspeakers of the channels decide.
    package var channels: [[Int64]]?

    package init(
        start: Int64,
        count: Int64,
        asset: Int,
        stream: Int,
        sourceStart: Int64,
        sourceFraction: RationalTime? = nil,
        volume: [VolumeKey],
        fadeIn: Crossfade?,
        fadeOut: Crossfade?,
        speed: RationalTime? = nil,
        curve: SoundCurve? = nil,
        isNested: Bool? = nil,
        keepsPitch: Bool? = nil,
        loop: SampleLoop? = nil,
        pan: [SoundKey]? = nil,
        balance: [SoundKey]? = nil,
        processors: [SoundProcessor]? = nil,
        channels: [[Int64]]? = nil
    ) {
        self.start = start
        self.count = count
        self.asset = asset
        self.stream = stream
        self.sourceStart = sourceStart
        self.sourceFraction = sourceFraction
        self.volume = volume
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.speed = speed
        self.curve = curve
        self.isNested = isNested
        self.keepsPitch = keepsPitch
        self.loop = loop
        self.pan = pan
        self.balance = balance
        self.processors = processors
        self.channels = channels
    }
}

extension AudioTrack {
    package func write(to members: inout ObjectMembers) throws {
        if let balance { try members.write("balance", balance) }
        if let duck { try members.write("duck", duck) }
        try members.write("id", id)
        if let pan { try members.write("pan", pan) }
        if let processors { try members.write("processors", processors) }
        try members.write("segments", segments)
        try members.write("volume", volume)
    }
}

extension AudioTrackSegment {
    package func write(to members: inout ObjectMembers) throws {
        try members.write("asset", asset)
        if let balance { try members.write("balance", balance) }
        if let channels { try members.write("channels", channels) }
        try members.write("count", count)
        if let curve { try members.write("curve", curve) }
        if let fadeIn { try members.write("fadeIn", fadeIn) }
        if let fadeOut { try members.write("fadeOut", fadeOut) }
        if let isNested { try members.write("isNested", isNested) }
        if let keepsPitch { try members.write("keepsPitch", keepsPitch) }
        if let loop { try members.write("loop", loop) }
        if let pan { try members.write("pan", pan) }
        if let processors { try members.write("processors", processors) }
        if let sourceFraction { try members.write("sourceFraction", sourceFraction) }
        try members.write("sourceStart", sourceStart)
        if let speed { try members.write("speed", speed) }
        try members.write("start", start)
        try members.write("stream", stream)
        try members.write("volume", volume)
    }
}
