/// One sequence of sound pieces. Pieces may overlap (crossfades): they are summed.
public struct AudioTrack: Sendable, Hashable, Codable {
    public var id: String
    public var segments: [AudioTrackSegment]
    /// Keys are samples from the timeline's zero; empty means 1.
    public var volume: [VolumeKey]

    public init(id: String, segments: [AudioTrackSegment], volume: [VolumeKey]) {
        self.id = id
        self.segments = segments
        self.volume = volume
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
    /// Source seconds for a second of the timeline; below 0 the sound runs backwards from `sourceStart`. Pitch goes with
    /// it. Never 0; nil is 1.
    public var speed: RationalTime?
    /// Whether `asset` is a nested edit; nil is false.
    public var isNested: Bool?

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
        isNested: Bool? = nil
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
        self.isNested = isNested
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

    public init(at: Int64, millionths: Int64, unit: Unit, holds: Bool = false) {
        self.at = at
        self.millionths = millionths
        self.unit = unit
        self.holds = holds
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
