package import CompositionModel
package import Timing

/// A source as one layer shows it: the stream, its timing, and its appearance.
package struct SliceSource: Sendable, Hashable, Codable, OrderedObject {
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
    @OptionalCopyOnWrite package var curve: RetimeCurve? = nil
    /// The appearance, with lengths in pixels of the task's size; nil shows the picture as it is fitted. A task holds
    /// only the keys that decide about the instruction's frames.
    @OptionalCopyOnWrite package var appearance: LayerAppearance? = nil
    /// Seconds from the origin of the appearance's key times to the instruction's first frame. Nil when nothing is
    /// animated, so that equal slices are equal at any place on the timeline.
    package var itemTime: RationalTime?
    /// The track's appearance, applied after the source's own; nil when the track has none.
    @OptionalCopyOnWrite package var track: LayerAppearance? = nil
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

extension SliceSource {
    package func write(to members: inout ObjectMembers) throws {
        if let appearance { try members.write("appearance", appearance) }
        try members.write("asset", asset)
        if let blending { try members.write("blending", blending.rawValue) }
        if let curve { try members.write("curve", curve) }
        try members.write("fit", fit.rawValue)
        if let isNested { try members.write("isNested", isNested) }
        if let itemTime { try members.write("itemTime", itemTime) }
        if let speed { try members.write("speed", speed) }
        try members.write("start", start)
        try members.write("stream", stream)
        if let track { try members.write("track", track) }
        if let trackTime { try members.write("trackTime", trackTime) }
    }
}
