package import Timing

/// One piece of picture on a track.
package struct VideoTrackSegment: Sendable, Hashable, Codable {
    /// The frames of the timeline that the piece covers.
    package var target: FrameRange
    /// The position in ``Composition/assets``, or in ``Composition/nested`` when ``isNested`` is true.
    package var asset: Int
    /// The stream's index in libavformat.
    package var stream: Int
    /// The source time shown at the first frame of `target`, in seconds. Frame k after it shows
    /// `sourceStart + k × frameDuration × speed`.
    package var sourceStart: RationalTime
    package var fit: Fit
    /// The source seconds per second of the timeline; nil means 1. Below 0 the source plays backwards; at 0 one frame
    /// is held.
    package var speed: RationalTime?
    /// A speed that changes, in place of `speed`: frame k after the first shows `sourceStart` plus the curve's progress
    /// at k.
    @OptionalCopyOnWrite package var curve: RetimeCurve? = nil
    /// The placement, crop and mixing of the piece; nil shows it as it is fitted. Key times count from the first frame
    /// of `target`.
    @OptionalCopyOnWrite package var appearance: LayerAppearance? = nil
    /// Whether `asset` is a nested edit; nil is false.
    package var isNested: Bool?
    /// The rule for times between two frames of the source; nil shows the frame that is on screen.
    package var blending: FrameBlending?

    package init(
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

extension VideoTrackSegment {
    private enum Key: String, CodingKey {
        case target, asset, stream, sourceStart, fit, speed, curve, appearance, isNested, blending
    }

    /// Reads the piece; members that are absent are nil.
    /// - Throws: `DecodingError` for members of another type.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        target = try container.decode(FrameRange.self, forKey: .target)
        asset = try container.decode(Int.self, forKey: .asset)
        stream = try container.decode(Int.self, forKey: .stream)
        sourceStart = try container.decode(RationalTime.self, forKey: .sourceStart)
        fit = try container.decode(Fit.self, forKey: .fit)
        speed = try container.decodeIfPresent(RationalTime.self, forKey: .speed)
        curve = try container.decodeIfPresent(RetimeCurve.self, forKey: .curve)
        appearance = try container.decodeIfPresent(LayerAppearance.self, forKey: .appearance)
        isNested = try container.decodeIfPresent(Bool.self, forKey: .isNested)
        blending = try container.decodeIfPresent(FrameBlending.self, forKey: .blending)
    }

    /// Writes the piece; members that are nil are left out.
    /// - Throws: `EncodingError` if `encoder` cannot hold a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(target, forKey: .target)
        try container.encode(asset, forKey: .asset)
        try container.encode(stream, forKey: .stream)
        try container.encode(sourceStart, forKey: .sourceStart)
        try container.encode(fit, forKey: .fit)
        try container.encodeIfPresent(speed, forKey: .speed)
        try container.encodeIfPresent(curve, forKey: .curve)
        try container.encodeIfPresent(appearance, forKey: .appearance)
        try container.encodeIfPresent(isNested, forKey: .isNested)
        try container.encodeIfPresent(blending, forKey: .blending)
    }
}
