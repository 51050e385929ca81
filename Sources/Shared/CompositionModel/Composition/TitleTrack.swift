public import Timing

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

/// Something that is drawn: exactly one of `text`, `shape`, `image`, `subtitles` and `group` is set.
public struct TitleLayer: Sendable, Hashable, Codable {
    public var text: TitleText?
    public var shape: TitleShape?
    public var image: TitleImage?
    /// As large as the frame.
    public var subtitles: TitleSubtitles?
    /// Layers that are placed and mixed together, from the bottom up. A group is as large as the frame.
    public var group: [TitleLayer]?
    /// Nil shows it where and as it is.
    public var appearance: LayerAppearance?
    /// How it comes and goes, on top of `appearance`.
    public var motion: TitleMotion?
    /// When it is there and how its time runs; nil is the time of what encloses it.
    public var timing: LayerTiming?
    /// Only in a task, whose keys are those of its own frames: how many times larger a text or shape is drawn than it
    /// is without its appearance, because it is that much larger at some time of the whole title, 2 or 4. Nil is 1.
    /// Groups that are cut or changed as one picture count as 1: what is in them is drawn at the frame's size.
    public var detail: Int?

    public init(
        text: TitleText? = nil,
        shape: TitleShape? = nil,
        image: TitleImage? = nil,
        subtitles: TitleSubtitles? = nil,
        group: [TitleLayer]? = nil,
        appearance: LayerAppearance? = nil,
        motion: TitleMotion? = nil,
        timing: LayerTiming? = nil
    ) {
        self.text = text
        self.shape = shape
        self.image = image
        self.subtitles = subtitles
        self.group = group
        self.appearance = appearance
        self.motion = motion
        self.timing = timing
    }

    /// Whether anything of it, or of what it groups, changes with time.
    public var isAnimated: Bool {
        appearance?.isAnimated == true || motion?.isAnimated == true || subtitles != nil
            || (group ?? []).contains(where: \.isAnimated)
    }

    /// All texts of it, and of what it groups.
    public var texts: [TitleText] { (text.map { [$0] } ?? []) + (group ?? []).flatMap(\.texts) }

    /// All pictures of it, and of what it groups.
    package var images: [TitleImage] { (image.map { [$0] } ?? []) + (group ?? []).flatMap(\.images) }

    /// Those of it and of all that it groups.
    package var appearances: [LayerAppearance] {
        (appearance.map { [$0] } ?? []) + (group ?? []).flatMap(\.appearances)
    }

    /// All subtitles of it, and of what it groups.
    public var allSubtitles: [TitleSubtitles] { (subtitles.map { [$0] } ?? []) + (group ?? []).flatMap(\.allSubtitles) }

    /// This with `change` made to it and to all that it groups.
    package func changed(_ change: (inout TitleLayer) -> Void) -> TitleLayer {
        var layer = self
        change(&layer)
        layer.group = layer.group?.map { $0.changed(change) }
        return layer
    }
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
