public import CompositionModel
public import Timing

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
