public import Timing
public import CompositionModel

/// How one output of a composition is made: tasks in stages with the recipe that joins their results.
/// A pure function of the composition, the facts of its assets and the segment length rule; never of the farm.
public struct RenderPlan: Sendable, Hashable, Codable {
    public var output: OutputSettings
    public var frameRate: FrameRate
    public var frameCount: Int64
    public var sampleRate: Int
    public var sampleCount: Int64
    /// In order of time; without hole or overlap from frame 0 (of the output) to `frameCount`.
    public var segments: [PlannedSegment]
    /// The whole timeline's sound; nil when the output has none.
    public var sound: SoundTask?
    /// The tasks that make it: pieces in order of time, without hole or overlap from sample 0 of the output on. One,
    /// equal to ``sound``, where it is short or has to be made in one go.
    public var soundPieces: [PlannedSound]
    /// What is measured before the pieces are made, where they are brought to a loudness: rounds that follow each
    /// other, each of pieces in order of time. Nil is none.
    public var soundRounds: [[PlannedMeasure]]?

    public init(
        output: OutputSettings,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        segments: [PlannedSegment],
        sound: SoundTask?,
        soundPieces: [PlannedSound],
        soundRounds: [[PlannedMeasure]]? = nil
    ) {
        self.soundPieces = soundPieces
        self.soundRounds = soundRounds
        self.output = output
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.segments = segments
        self.sound = sound
    }
}

/// A time range that is rendered as one.
public struct PlannedSegment: Sendable, Hashable, Codable {
    /// Frames of the output (0 is the first frame that is rendered, also under `--range`).
    public var frames: FrameRange
    public var startBorder: BorderReason
    public var endBorder: BorderReason
    public var task: PictureTask
    /// Digest of all that determines the segment's bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// Seconds of one idle core, roughly: orders the queue and feeds the ETA, decides nothing else.
    public var estimatedCost: Double

    public init(
        frames: FrameRange,
        startBorder: BorderReason,
        endBorder: BorderReason,
        task: PictureTask,
        key: ContentDigest,
        estimatedCost: Double
    ) {
        self.frames = frames
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.task = task
        self.key = key
        self.estimatedCost = estimatedCost
    }
}

/// A piece of the sound that is mixed and encoded as one.
public struct PlannedSound: Sendable, Hashable, Codable {
    /// Sample of the output at which it begins.
    public var start: Int64
    public var task: SoundTask
    /// Digest of all that determines its bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// As ``PlannedSegment/estimatedCost``.
    public var estimatedCost: Double

    init(start: Int64, task: SoundTask) throws(PlanError) {
        self.start = start
        self.task = task
        key = try task.key()
        estimatedCost = Double(task.sampleCount) / Double(task.sampleRate) * Double(max(1, task.tracks.count)) * 0.025
    }
}

/// Why a segment begins or ends where it does.
public enum BorderReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// First or last frame of what is rendered.
    case edge
    /// The set of layers changes without a transition.
    case cut
    /// A transition begins or ends.
    case transition
    /// A source keyframe inside a range that one clip fills untouched.
    case keyframe
    /// A long range without any of these.
    case length
    /// The middle of a short output that has no other border.
    case middle
    /// `--segments N`, for tests.
    case forced
}

/// What a worker needs to render one segment's pictures: the slice of the composition in segment-relative frames.
public struct PictureTask: Sendable, Hashable, Codable {
    public var frameRate: FrameRate
    /// Size of the composited and coded picture.
    public var size: PictureSize
    public var color: ColorDescription
    /// `#rrggbb`.
    public var background: String
    /// Frames that the segment delivers.
    public var frameCount: Int64
    /// Frames composited after them for the encoder's lookahead only; ≤ `encoding.postRoll`, less at the very end.
    public var postRollCount: Int64
    /// Distinct assets, in order of first use in the slice.
    public var assets: [ContentDigest]
    /// Cover 0 ..< frameCount + postRollCount without hole or overlap.
    public var instructions: [SliceInstruction]
    /// Edits that are shown as sources, each behind those that it shows itself. Nil is none.
    public var nested: [NestedSlice]?
    public var encoding: VideoEncoding
    /// Raised only when the renderer's bytes change.
    public var rendererVersion: Int
    /// Libraries by name with the versions that must render it; nil in a plan, which is of no machine. Set when the
    /// task is stored, so that a farm that is upgraded in the middle of a job does not mix them.
    public var libraries: [String: String]?

    public init(
        frameRate: FrameRate,
        size: PictureSize,
        color: ColorDescription,
        background: String,
        frameCount: Int64,
        postRollCount: Int64,
        assets: [ContentDigest],
        instructions: [SliceInstruction],
        nested: [NestedSlice]? = nil,
        encoding: VideoEncoding,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.frameRate = frameRate
        self.size = size
        self.color = color
        self.background = background
        self.frameCount = frameCount
        self.postRollCount = postRollCount
        self.assets = assets
        self.instructions = instructions
        self.nested = nested
        self.encoding = encoding
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

public struct SliceInstruction: Sendable, Hashable, Codable {
    /// Segment-relative.
    public var frames: FrameRange
    /// From the bottom up.
    public var layers: [SliceLayer]

    public init(frames: FrameRange, layers: [SliceLayer]) {
        self.frames = frames
        self.layers = layers
    }
}

/// `from` alone, or a transition between the two; a nil side of a transition is what lies below.
public struct SliceLayer: Sendable, Hashable, Codable {
    /// In place of both sides.
    public var title: SliceTitle?
    public var from: SliceSource?
    public var to: SliceSource?
    public var transition: TransitionRamp?

    public init(from: SliceSource?, to: SliceSource? = nil, transition: TransitionRamp? = nil) {
        self.from = from
        self.to = to
        self.transition = transition
    }

    public init(title: SliceTitle) { self.title = title }
}

public struct SliceSource: Sendable, Hashable, Codable {
    /// Position in `PictureTask.assets`, or of a nested edit in `PictureTask.nested`.
    public var asset: Int
    /// libavformat's stream index.
    public var stream: Int
    /// Source time at the instruction's first frame; frame k of the instruction shows
    /// `start + k × frameDuration × speed`.
    public var start: RationalTime
    public var fit: Fit
    /// As ``VideoTrackSegment/speed``; nil is 1.
    public var speed: RationalTime?
    /// As ``VideoTrackSegment/curve``, from the instruction's first frame to its end.
    public var curve: RetimeCurve?
    /// In pixels of the task's size; nil shows the picture as it is fitted. In a task it has the keys of the
    /// instruction's frames alone.
    public var appearance: LayerAppearance?
    /// Seconds from where the appearance's key times count to the instruction's first frame; nil when nothing of it
    /// changes, so that equal slices are equal wherever they stand.
    public var itemTime: RationalTime?
    /// Of the track, after the source's own; nil does nothing.
    public var track: LayerAppearance?
    /// As ``itemTime``, of the track's: the timeline's time.
    public var trackTime: RationalTime?
    /// Whether `asset` is a nested edit; nil is false.
    public var isNested: Bool?
    /// As ``VideoTrackSegment/blending``.
    public var blending: FrameBlending?

    public init(
        asset: Int,
        stream: Int,
        start: RationalTime,
        fit: Fit,
        speed: RationalTime? = nil,
        curve: RetimeCurve? = nil,
        appearance: LayerAppearance? = nil,
        itemTime: RationalTime? = nil,
        track: LayerAppearance? = nil,
        trackTime: RationalTime? = nil,
        isNested: Bool? = nil,
        blending: FrameBlending? = nil
    ) {
        self.asset = asset
        self.stream = stream
        self.start = start
        self.fit = fit
        self.speed = speed
        self.curve = curve
        self.appearance = appearance
        self.itemTime = itemTime
        self.track = track
        self.trackTime = trackTime
        self.isNested = isNested
        self.blending = blending
    }
}

/// What a worker needs to mix and encode the sound of an output, or a piece of it.
public struct SoundTask: Sendable, Hashable, Codable {
    public var sampleRate: Int
    public var channels: Int
    /// The loudspeaker of each channel, by libavutil's names; nil is as an edit of so many has them.
    public var speakers: [String]?
    /// Samples per channel that it makes.
    public var sampleCount: Int64
    /// First sample of the composition's timeline that is heard: 0, or the start of `--range`, or of a piece.
    public var firstSample: Int64
    /// Samples before and after these that are mixed and encoded too, for the encoder's memory; their packets are
    /// dropped. Nil is none: there the output begins or ends, or its codec remembers nothing.
    public var lead: Int64?
    public var tail: Int64?
    public var assets: [ContentDigest]
    /// In the timeline's samples, `asset` pointing into `assets` of this task.
    public var tracks: [AudioTrack]
    /// Edits that are heard as sources, each behind those that it plays itself. Nil is none.
    public var nested: [NestedSound]?
    /// Nil does nothing.
    public var master: MasterMix?
    /// What brings the whole to the master's loudness, where it was measured before; nil measures first.
    public var loudness: LoudnessGain?
    /// Of a piece whose gain is found by measuring all of the programme before; nil of a whole, and without a loudness.
    public var programme: SoundProgramme?
    public var encoding: AudioEncoding
    public var rendererVersion: Int
    /// As ``PictureTask/libraries``.
    public var libraries: [String: String]?

    public init(
        sampleRate: Int,
        channels: Int,
        speakers: [String]? = nil,
        sampleCount: Int64,
        firstSample: Int64,
        lead: Int64? = nil,
        tail: Int64? = nil,
        assets: [ContentDigest],
        tracks: [AudioTrack],
        nested: [NestedSound]? = nil,
        master: MasterMix? = nil,
        loudness: LoudnessGain? = nil,
        programme: SoundProgramme? = nil,
        encoding: AudioEncoding,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.speakers = speakers
        self.sampleCount = sampleCount
        self.firstSample = firstSample
        self.lead = lead
        self.tail = tail
        self.assets = assets
        self.tracks = tracks
        self.nested = nested
        self.master = master
        self.loudness = loudness
        self.programme = programme
        self.encoding = encoding
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

/// The programme that a piece of sound is of, all of which counts for how loud the piece is made.
public struct SoundProgramme: Sendable, Hashable, Codable {
    /// Digest of all that determines how it sounds, but for its encoding.
    public var key: ContentDigest
    /// Its first sample on the timeline.
    public var firstSample: Int64
    /// Samples of a channel.
    public var sampleCount: Int64

    public init(key: ContentDigest, firstSample: Int64, sampleCount: Int64) {
        self.key = key
        self.firstSample = firstSample
        self.sampleCount = sampleCount
    }
}

extension SoundTask {
    /// All that is mixed, in the timeline's samples.
    public var mixed: Range<Int64> {
        firstSample - (lead ?? 0)..<firstSample + sampleCount + (tail ?? 0)
    }
}

/// What the coordinator's stitch child needs: everything but the files.
public struct StitchTask: Sendable, Hashable, Codable {
    public var container: Container
    public var frameRate: FrameRate
    public var frameCount: Int64
    public var sampleRate: Int
    public var sampleCount: Int64
    public var size: PictureSize
    public var color: ColorDescription
    /// Frame count of every picture part in order. The parts themselves are named by the accepted artifacts. Empty when
    /// the output has sound alone.
    public var partFrameCounts: [Int64]
    public var hasSound: Bool
    /// Samples of every part of the sound in order; nil when there is one part, or none.
    public var soundPartCounts: [Int64]?
    public var rendererVersion: Int
    /// As ``PictureTask/libraries``: a muxer of another version may write other bytes.
    public var libraries: [String: String]?
    public var hasPicture: Bool { !partFrameCounts.isEmpty }

    public init(
        container: Container,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        size: PictureSize,
        color: ColorDescription,
        partFrameCounts: [Int64],
        hasSound: Bool,
        soundPartCounts: [Int64]? = nil,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.container = container
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.size = size
        self.color = color
        self.partFrameCounts = partFrameCounts
        self.hasSound = hasSound
        self.soundPartCounts = soundPartCounts
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}
