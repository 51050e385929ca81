public import Timing

/// An edit in its canonical form, `"composition/1"`: resolved and explicit, the form that is hashed, stored and
/// planned.
///
/// The model is AV Foundation's: tracks of track segments without transitions, beside instructions that say how the
/// tracks are put together. Overlaps live on separate tracks:
/// ```
/// edit        [ A        ]               a dissolve overlaps the end of A and the start of B
///                     [ B        ]
/// track v1.a  [ A        ]~~~gap~~~
/// track v1.b  ~~~gap~~[ B        ]
/// instruction |A only | A→B |B only |
/// ```
public struct Composition: Sendable, Hashable, Codable {
    public static let schemaName = "composition/1"

    public var schema: String
    public var format: Format
    /// Length of the timeline in frames of `format.frameRate`.
    public var frameCount: Int64
    /// In order of first use. Tracks refer to them by position.
    public var assets: [CompositionAsset]
    /// Edits that are assets, each behind those that it holds itself. Nil is none.
    public var nested: [NestedComposition]?
    public var videoTracks: [VideoTrack]
    /// Nil is none.
    public var titleTracks: [TitleTrack]?
    /// Their layers name tracks of both kinds.
    public var instructions: [VideoCompositionInstruction]
    public var audioTracks: [AudioTrack]
    /// Nil does nothing.
    public var master: MasterMix?
    public var outputs: [OutputSettings]

    public init(
        format: Format,
        frameCount: Int64,
        assets: [CompositionAsset],
        nested: [NestedComposition]? = nil,
        videoTracks: [VideoTrack],
        titleTracks: [TitleTrack]? = nil,
        instructions: [VideoCompositionInstruction],
        audioTracks: [AudioTrack],
        master: MasterMix? = nil,
        outputs: [OutputSettings]
    ) {
        schema = Composition.schemaName
        self.format = format
        self.frameCount = frameCount
        self.assets = assets
        self.nested = nested
        self.videoTracks = videoTracks
        self.titleTracks = titleTracks
        self.instructions = instructions
        self.audioTracks = audioTracks
        self.master = master
        self.outputs = outputs
    }

    /// Samples per channel of the whole timeline: round(frames × frameDuration × sampleRate).
    public func sampleCount() throws(TimeError) -> Int64 {
        try format.frameRate.sample(ofFrame: frameCount, sampleRate: format.sampleRate)
    }
}

public struct CompositionAsset: Sendable, Hashable, Codable {
    /// The name in the edit, for messages.
    public var name: String
    public var digest: ContentDigest

    public init(name: String, digest: ContentDigest) {
        self.name = name
        self.digest = digest
    }
}

/// One sequence of picture pieces that never overlap; a hole between two of them is an empty edit.
public struct VideoTrack: Sendable, Hashable, Codable {
    public var id: String
    public var segments: [VideoTrackSegment]
    /// How all that the track shows is placed and mixed, after the segments' own; key times count from the timeline's
    /// zero. Its picture is the frame. Nil does nothing.
    public var appearance: LayerAppearance?

    public init(id: String, segments: [VideoTrackSegment], appearance: LayerAppearance? = nil) {
        self.id = id
        self.segments = segments
        self.appearance = appearance
    }
}

public struct VideoTrackSegment: Sendable, Hashable, Codable {
    /// Frames of the timeline.
    public var target: FrameRange
    /// Position in `Composition.assets`, or of a nested edit in `Composition.nested`.
    public var asset: Int
    /// libavformat's stream index.
    public var stream: Int
    /// Source time shown at the first frame of `target`. Frame k after it shows
    /// `sourceStart + k × frameDuration × speed`.
    public var sourceStart: RationalTime
    public var fit: Fit
    /// Source seconds for a second of the timeline; below 0 the source plays backwards, at 0 one frame is held. Nil is
    /// 1.
    public var speed: RationalTime?
    /// In place of a speed, one that changes: frame k after the first shows `sourceStart` and the curve's way at k.
    public var curve: RetimeCurve?
    /// How it is placed, cut and mixed; key times count from the first frame of `target`. Nil shows it as it is fitted.
    public var appearance: LayerAppearance?
    /// Whether `asset` is a nested edit; nil is false.
    public var isNested: Bool?
    /// How frames between two of the source's are made; nil shows the one that is on screen.
    public var blending: FrameBlending?

    public init(
        target: FrameRange,
        asset: Int,
        stream: Int,
        sourceStart: RationalTime,
        fit: Fit,
        speed: RationalTime? = nil,
        curve: RetimeCurve? = nil,
        appearance: LayerAppearance? = nil,
        isNested: Bool? = nil,
        blending: FrameBlending? = nil
    ) {
        self.target = target
        self.asset = asset
        self.stream = stream
        self.sourceStart = sourceStart
        self.fit = fit
        self.speed = speed
        self.curve = curve
        self.appearance = appearance
        self.isNested = isNested
        self.blending = blending
    }
}

/// What is shown at a time between the starts of two frames of a source.
public enum FrameBlending: String, Sendable, Hashable, Codable, CaseIterable {
    /// The mean of both, each weighed by how near the time is to its start.
    case frames
}

/// A run of frames over which the set of layers is constant. Instructions cover the timeline without hole or overlap.
public struct VideoCompositionInstruction: Sendable, Hashable, Codable {
    public var frames: FrameRange
    /// From the bottom up; empty shows the background.
    public var layers: [LayerInstruction]

    public init(frames: FrameRange, layers: [LayerInstruction]) {
        self.frames = frames
        self.layers = layers
    }
}

/// What one layer shows in an instruction: the track named `from`, or a transition from it to the track `to`. Outside a
/// transition `transition` is nil and only `from` is set. In a transition a nil side is the background (or the layers
/// below): at the end of a track or beside a gap.
public struct LayerInstruction: Sendable, Hashable, Codable {
    public var from: String?
    public var to: String?
    public var transition: TransitionRamp?

    public init(track: String) {
        from = track
    }

    public init(from: String?, to: String?, transition: TransitionRamp) {
        self.from = from
        self.to = to
        self.transition = transition
    }
}
