package import CompositionModel
package import Timing

/// A source as one layer shows it: the stream, its timing, and its appearance.
package struct SliceSource: Sendable, Hashable, Codable {
    /// The position in ``PictureTask/assets``, or in ``PictureTask/nested`` for a nested edit.
    package var asset: Int
    /// libavformat's index of the picture stream.
    package var stream: Int
    /// The source time at the instruction's first frame, in seconds. Frame k of the instruction shows `start + k ×
    /// frameDuration × speed`.
    package var start: RationalTime
    /// How the picture is fitted into the frame.
    package var fit: Fit
    /// The constant speed, as in ``VideoTrackSegment/speed``; nil is 1.
    package var speed: RationalTime?
    /// The time-remap curve, as in ``VideoTrackSegment/curve``, cut to the instruction's frames; nil for a constant
    /// speed.
    package var curve: RetimeCurve?
    /// The appearance, with lengths in pixels of the task's size; nil shows the picture as it is fitted. A task holds
    /// only the keys that decide about the instruction's frames.
    package var appearance: LayerAppearance?
    /// Seconds from the origin of the appearance's key times to the instruction's first frame. Nil when nothing is
    /// animated, so that equal slices are equal at any place on the timeline.
    package var itemTime: RationalTime?
    /// The track's appearance, applied after the source's own; nil when the track has none.
    package var track: LayerAppearance?
    /// Seconds from the timeline's start to the instruction's first frame, for the keys of ``track``. Nil when nothing
    /// of the track's appearance is animated.
    package var trackTime: RationalTime?
    /// Whether `asset` is a nested edit; nil is false.
    package var isNested: Bool?
    /// The blending of source frames, as in ``VideoTrackSegment/blending``; nil shows single frames.
    package var blending: FrameBlending?

    package init(
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
