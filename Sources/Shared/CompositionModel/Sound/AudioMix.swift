public import Timing

/// One sequence of sound pieces. Pieces may overlap (crossfades): they are summed.
public struct AudioTrack: Sendable, Hashable, Codable {
    public var id: String
    public var segments: [AudioTrackSegment]
    /// Keys are samples from the timeline's zero; empty means 1.
    public var volume: [VolumeKey]
    /// As of a segment, with keys from the timeline's zero.
    public var pan: [SoundKey]?
    public var balance: [SoundKey]?
    public var processors: [SoundProcessor]?
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

public struct AudioTrackSegment: Sendable, Hashable, Codable {
    /// First sample on the timeline, at the edit's sample rate.
    public var start: Int64
    /// Samples on the timeline.
    public var count: Int64
    /// Position in `Composition.assets`, or of a nested edit in `Composition.nested`.
    public var asset: Int
    /// libavformat's stream index.
    public var stream: Int
    /// Sample of the stream (at its own rate, 0 = first audible one) heard at `start`. May be negative or past the end:
    /// silence is heard there.
    public var sourceStart: Int64
    /// Keys are samples from `start`; empty means 1.
    public var volume: [VolumeKey]
    /// Crossfade from its start, and to its end; nil is none.
    public var fadeIn: Crossfade?
    public var fadeOut: Crossfade?
    /// Source seconds for a second of the timeline; below 0 the sound runs backwards from `sourceStart`. Pitch goes
    /// with it unless `keepsPitch`. 0, which keeps its pitch, holds the sound that is about `sourceStart`. Nil is 1.
    public var speed: RationalTime?
    /// In place of a speed, one that changes; there is no `loop` beside it.
    public var curve: SoundCurve?
    /// Whether `asset` is a nested edit; nil is false.
    public var isNested: Bool?
    /// Whether the sound keeps its pitch at another speed; nil is no.
    public var keepsPitch: Bool?
    /// The source's samples that are heard again and again; nil plays on.
    public var loop: SampleLoop?
    /// −1 … 1, of two channels: moves the sound to one side. Keys are samples from `start`; nil is 0.
    public var pan: [SoundKey]?
    /// −1 … 1, of two channels: lowers the other side. Likewise.
    public var balance: [SoundKey]?
    public var processors: [SoundProcessor]?
    /// What each channel of the edit gets of each of the source, in millionths; what a row does not name is 0. Nil is
    /// as their loudspeakers say.
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

/// Samples of a stream, at its own rate, that repeat: sample `start + count + k` sounds as `start + k`, as in a file in
/// which they stand as often. Before the clip's own first sample and behind the last run is silence.
public struct SampleLoop: Sendable, Hashable, Codable {
    public var start: Int64
    /// Above 0.
    public var count: Int64
    /// How often they stand there, above 0; nil is as often as the clip hears them.
    public var runs: Int64?

    public init(start: Int64, count: Int64, runs: Int64? = nil) {
        (self.start, self.count, self.runs) = (start, count, runs)
    }
}

/// A value at a sample: of a pan or a balance, in millionths.
public struct SoundKey: Sendable, Hashable, Codable {
    public var at: Int64
    public var millionths: Int64
    /// The way to the next key; nil is linear.
    public var ease: Easing?

    public init(at: Int64, millionths: Int64, ease: Easing? = nil) {
        (self.at, self.millionths, self.ease) = (at, millionths, ease)
    }
}

/// Lowers a track while another one is heard (docs/sound.md, "Ducking"). All in millionths: of a dB, of a second.
public struct Duck: Sendable, Hashable, Codable {
    /// Positions in the composition's (or the task's) audio tracks that are listened to, as they sound before they are
    /// ducked themselves.
    public var under: [Int]
    /// dB by which it is lowered, above 0.
    public var depth: Int64
    /// Down before the other begins, low after it has ended, and up again.
    public var attack: Int64
    public var hold: Int64
    public var release: Int64
    /// dB of full scale (root mean square of a hundredth of a second) from which on the other counts as heard.
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

/// What is done to the sum of all tracks, in this order: processors, volume, processors after it, limiter, loudness.
public struct MasterMix: Sendable, Hashable, Codable {
    /// Keys are samples from the timeline's zero; empty means 1.
    public var volume: [VolumeKey]
    public var processors: [SoundProcessor]?
    public var loudness: LoudnessTarget?
    /// Millionths of dBTP that are never passed; nil limits nothing.
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
    /// What keeps the ceiling.
    public var limiter: SoundProcessor? { ceiling.map { SoundProcessor(.limiter, [.ceiling: $0]) } }
}

/// The loudness (EBU R128) that a whole programme is brought to, by one gain.
public struct LoudnessTarget: Sendable, Hashable, Codable {
    /// Millionths of LUFS and of dBTP.
    public static let targets: ClosedRange<Int64> = -60_000_000 ... -5_000_000
    public static let peaks: ClosedRange<Int64> = -40_000_000...0
    /// How often a programme is measured with gain and limiter, at most, after it was measured as it is.
    public static let mostLimitedRounds = 3

    /// Millionths of LUFS.
    public var integrated: Int64
    /// Millionths of dBTP: where the gain would pass it, a limiter keeps it.
    public var truePeak: Int64

    public init(integrated: Int64, truePeak: Int64) {
        (self.integrated, self.truePeak) = (integrated, truePeak)
    }
}

extension LoudnessTarget {
    /// What keeps the true peak where the gain needs it.
    public var limiter: SoundProcessor { SoundProcessor(.limiter, [.ceiling: truePeak]) }
}

/// What brings a programme to its loudness, once it was measured.
public struct LoudnessGain: Sendable, Hashable, Codable {
    /// Of a dB.
    public var millionths: Int64
    /// Whether ``LoudnessTarget/limiter`` follows it.
    public var isLimited: Bool

    public init(millionths: Int64, isLimited: Bool) {
        (self.millionths, self.isLimited) = (millionths, isLimited)
    }
}

/// One key of a volume. Before the first its value holds, after the last its value holds; two keys at one sample are a
/// jump. Between two keys the way is linear in the unit of both when they agree, else linear in gain; `holds` keeps the
/// first value up to the next key.
public struct VolumeKey: Sendable, Hashable, Codable {
    public enum Unit: String, Sendable, Hashable, Codable {
        case linear, decibel
    }

    public var at: Int64
    /// Millionths of the unit: 500000 linear is half, −6000000 decibel is −6 dB.
    public var millionths: Int64
    public var unit: Unit
    public var holds: Bool
    /// How the way to the next key is shaped; nil is linear, or none where the key holds.
    public var ease: Easing?

    public init(at: Int64, millionths: Int64, unit: Unit, holds: Bool = false, ease: Easing? = nil) {
        self.at = at
        self.millionths = millionths
        self.unit = unit
        self.holds = holds
        self.ease = ease
    }
}

/// The sound of a transition, over `count` samples. At sample i, p = i / count:
/// equalPower: cos(p·π/2) out and sin(p·π/2) in; linear: 1 − p and p; cut: the change is at the middle; sum: 1 and 1.
public struct Crossfade: Sendable, Hashable, Codable {
    public enum Shape: String, Sendable, Hashable, Codable, CaseIterable {
        case equalPower, linear, sum, cut
    }

    public var shape: Shape
    public var count: Int64

    public init(shape: Shape, count: Int64) {
        self.shape = shape
        self.count = count
    }
}
