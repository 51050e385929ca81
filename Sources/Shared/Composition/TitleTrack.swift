/// One sequence of titles that never overlap.
public struct TitleTrack: Sendable, Hashable, Codable {
    public var id: String
    public var segments: [TitleTrackSegment]

    public init(id: String, segments: [TitleTrackSegment]) {
        self.id = id
        self.segments = segments
    }
}

public struct TitleTrackSegment: Sendable, Hashable, Codable {
    /// Frames of the timeline.
    public var target: FrameRange
    /// From the bottom up. Their times count from the first frame of `target`.
    public var layers: [TitleLayer]

    public init(target: FrameRange, layers: [TitleLayer]) {
        self.target = target
        self.layers = layers
    }
}

/// Something that is drawn.
public struct TitleLayer: Sendable, Hashable, Codable {
    public var text: TitleText
    /// Nil shows it where and as it is.
    public var appearance: LayerAppearance?
    /// How it comes and goes, on top of `appearance`.
    public var motion: TitleMotion?

    public init(text: TitleText, appearance: LayerAppearance? = nil, motion: TitleMotion? = nil) {
        self.text = text
        self.appearance = appearance
        self.motion = motion
    }

    /// Whether anything of it changes with time.
    public var isAnimated: Bool { appearance?.isAnimated == true || motion?.isAnimated == true }
}

/// What comes on top of a layer's own appearance.
public struct TitleMotion: Sendable, Hashable, Codable {
    /// 0…1, multiplied by the layer's opacity.
    public var opacity: AnimatedProperty?
    /// Pixels of the edit's frame, to the right and down, added to the layer's position.
    public var offset: AnimatedProperty?
    /// Multiplied by both factors of the layer's scale.
    public var zoom: AnimatedProperty?
    /// 0…1: how much of a text is typed.
    public var typed: AnimatedProperty?

    public init(
        opacity: AnimatedProperty? = nil,
        offset: AnimatedProperty? = nil,
        zoom: AnimatedProperty? = nil,
        typed: AnimatedProperty? = nil
    ) {
        self.opacity = opacity
        self.offset = offset
        self.zoom = zoom
        self.typed = typed
    }

    /// Whether anything of it changes with time.
    public var isAnimated: Bool { [opacity, offset, zoom, typed].contains { ($0?.keys.count ?? 0) > 1 } }
}
