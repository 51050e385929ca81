public import Timing

/// One sequence of sound pieces. Pieces may overlap (crossfades); they are summed.
public struct AudioTrack: Sendable, Hashable, Codable {
    public var id: String
    public var segments: [AudioTrackSegment]
    /// The keys of the volume, in samples from the timeline's zero; an empty list means a factor of 1.
    public var volume: [VolumeKey]
    /// The pan of the track, as that of a segment; keys are samples from the timeline's zero.
    public var pan: [SoundKey]?
    /// The balance of the track, as that of a segment; keys are samples from the timeline's zero.
    public var balance: [SoundKey]?
    /// The processors in the order in which they work; nil means none.
    public var processors: [SoundProcessor]?
    /// The lowering of this track under other tracks; nil means none.
    public var duck: Duck?

    public init(
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
public struct AudioTrackSegment: Sendable, Hashable, Codable {
    /// The first sample on the timeline, at the edit's sample rate.
    public var start: Int64
    /// The number of samples on the timeline, at the edit's sample rate.
    public var count: Int64
    /// The position in ``Composition/assets``, or in ``Composition/nested`` when ``isNested`` is true.
    public var asset: Int
    /// The stream's index in libavformat.
    public var stream: Int
    /// The sample of the stream heard at `start`, at the stream's own rate; 0 is the first audible one. It may be
    /// negative or past the end, where silence is heard.
    public var sourceStart: Int64
    /// The keys of the volume, in samples from `start`; an empty list means a factor of 1.
    public var volume: [VolumeKey]
    /// The crossfade from the start of the piece; nil means none.
    public var fadeIn: Crossfade?
    /// The crossfade to the end of the piece; nil means none.
    public var fadeOut: Crossfade?
    /// The source seconds per second of the timeline; nil means 1. Below 0 the sound runs backwards from `sourceStart`.
    /// The pitch changes with the speed unless `keepsPitch` is true. Speed 0 requires `keepsPitch` and holds the sound
    /// around `sourceStart`.
    public var speed: RationalTime?
    /// A speed that changes, in place of `speed`; a piece with a curve has no `loop`.
    public var curve: SoundCurve?
    /// Whether `asset` is a nested edit; nil is false.
    public var isNested: Bool?
    /// Whether the sound keeps its pitch at another speed; nil means no.
    public var keepsPitch: Bool?
    /// The samples of the source that are heard again and again; nil plays on.
    public var loop: SampleLoop?
    /// The pan of a sound of two channels, −1 … 1: it moves the sound to one side. Keys are samples from `start`; nil
    /// means 0.
    public var pan: [SoundKey]?
    /// The balance of a sound of two channels, −1 … 1: it lowers the other side. Keys are samples from `start`; nil
    /// means 0.
    public var balance: [SoundKey]?
    /// The processors in the order in which they work; nil means none.
    public var processors: [SoundProcessor]?
    /// The gains in millionths: one row per channel of the edit, with one gain per channel of the source; gains missing
    /// from a row are 0. nil means that the loudspeakers of the channels decide.
    public var channels: [[Int64]]?

    public init(
        start: Int64,
        count: Int64,
        asset: Int,
        stream: Int,
        sourceStart: Int64,
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

/// A part of a stream that repeats, in samples at the stream's own rate: sample `start + count + k` sounds like
/// `start + k`, as if the file held the part that many times. Silence precedes the clip's own first sample and follows
/// the last run.
public struct SampleLoop: Sendable, Hashable, Codable {
    /// The first sample of the part.
    public var start: Int64
    /// The number of samples of the part, above 0.
    public var count: Int64
    /// The number of runs, above 0; nil means as many as the clip needs.
    public var runs: Int64?

    public init(start: Int64, count: Int64, runs: Int64? = nil) {
        (self.start, self.count, self.runs) = (start, count, runs)
    }
}

/// The value of a pan or a balance at one sample.
public struct SoundKey: Sendable, Hashable, Codable {
    /// The sample, counted from the same zero as the keys of the property.
    public var at: Int64
    /// The value in millionths: −1000000 is one side, 1000000 the other.
    public var millionths: Int64
    /// The shape of the change to the next key; nil means linear.
    public var ease: Easing?

    public init(at: Int64, millionths: Int64, ease: Easing? = nil) {
        (self.at, self.millionths, self.ease) = (at, millionths, ease)
    }
}

/// Lowers a track while another one is heard (docs/sound.md, "Ducking"). All values are in millionths of a dB or of a
/// second.
public struct Duck: Sendable, Hashable, Codable {
    /// The positions of the audio tracks that are listened to, in the composition or in the task; they are heard as
    /// they sound before their own ducking.
    public var under: [Int]
    /// The amount by which the track is lowered, above 0, in millionths of a dB.
    public var depth: Int64
    /// The time that the fade down takes before the other track begins, in millionths of a second.
    public var attack: Int64
    /// The time that the track stays low after the other one has ended, in millionths of a second.
    public var hold: Int64
    /// The time that the fade up takes, in millionths of a second.
    public var release: Int64
    /// The level from which on the other track counts as heard, in millionths of dB of full scale: the root mean square
    /// of a hundredth of a second.
    public var threshold: Int64

    public init(under: [Int], depth: Int64, attack: Int64, hold: Int64, release: Int64, threshold: Int64) {
        self.under = under
        self.depth = depth
        self.attack = attack
        self.hold = hold
        self.release = release
        self.threshold = threshold
    }
}

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

/// The loudness (EBU R 128) to which one gain brings a whole programme.
public struct LoudnessTarget: Sendable, Hashable, Codable {
    /// The values allowed for ``integrated``, in millionths of LUFS.
    public static let targets: ClosedRange<Int64> = -60_000_000 ... -5_000_000
    /// The values allowed for ``truePeak``, in millionths of dBTP.
    public static let peaks: ClosedRange<Int64> = -40_000_000...0
    /// The largest number of measurements of a programme with gain and limiter; they follow the measurement of the
    /// unprocessed mix.
    public static let mostLimitedRounds = 3

    /// The integrated loudness, in millionths of LUFS.
    public var integrated: Int64
    /// The largest true peak, in millionths of dBTP; a limiter keeps it where the gain would exceed it.
    public var truePeak: Int64

    public init(integrated: Int64, truePeak: Int64) {
        (self.integrated, self.truePeak) = (integrated, truePeak)
    }
}

extension LoudnessTarget {
    /// The limiter that keeps ``truePeak`` where the gain would exceed it.
    public var limiter: SoundProcessor { SoundProcessor(.limiter, [.ceiling: truePeak]) }
}

/// The gain that brings a measured programme to its loudness.
public struct LoudnessGain: Sendable, Hashable, Codable {
    /// The gain in millionths of a dB.
    public var millionths: Int64
    /// Whether ``LoudnessTarget/limiter`` follows the gain.
    public var isLimited: Bool

    public init(millionths: Int64, isLimited: Bool) {
        (self.millionths, self.isLimited) = (millionths, isLimited)
    }
}

/// One key of a volume. The value of the first key holds before it, and the value of the last key after it; two keys at
/// one sample are a jump. Between two keys the change is linear in their unit when both have the same, else linear in
/// gain; `holds` keeps the first value until the next key.
public struct VolumeKey: Sendable, Hashable, Codable {
    /// The unit of the value: a factor of amplitude, or dB.
    public enum Unit: String, Sendable, Hashable, Codable {
        case linear, decibel
    }

    /// The sample, counted from the same zero as the other keys of the volume.
    public var at: Int64
    /// The value in millionths of the unit: 500000 linear is half, −6000000 decibel is −6 dB.
    public var millionths: Int64
    public var unit: Unit
    /// Whether the value holds until the next key.
    public var holds: Bool
    /// The shape of the change to the next key; nil means linear. It has no meaning where the key holds.
    public var ease: Easing?

    public init(at: Int64, millionths: Int64, unit: Unit, holds: Bool = false, ease: Easing? = nil) {
        self.at = at
        self.millionths = millionths
        self.unit = unit
        self.holds = holds
        self.ease = ease
    }
}

/// The sound of a transition over `count` samples. With p = i / count at sample i, the factors of the outgoing and the
/// incoming sound are: equalPower, cos(p·π/2) and sin(p·π/2); linear, 1 − p and p; cut, a change in the middle; sum, 1
/// and 1.
public struct Crossfade: Sendable, Hashable, Codable {
    /// The curve of the two factors.
    public enum Shape: String, Sendable, Hashable, Codable, CaseIterable {
        case equalPower, linear, sum, cut
    }

    public var shape: Shape
    /// The length in samples at the edit's sample rate.
    public var count: Int64

    public init(shape: Shape, count: Int64) {
        self.shape = shape
        self.count = count
    }
}
