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

/// One title on a track.
public struct TitleTrackSegment: Sendable, Hashable, Codable {
    /// The frames of the timeline that the title covers.
    public var target: FrameRange
    /// The layers from the bottom up. Their times count from the first frame of `target`.
    public var layers: [TitleLayer]

    public init(target: FrameRange, layers: [TitleLayer]) {
        self.target = target
        self.layers = layers
    }
}

/// One layer of a title: exactly one of `text`, `shape`, `image`, `subtitles` and `group` is set.
public struct TitleLayer: Sendable, Hashable, Codable {
    public var text: TitleText?
    public var shape: TitleShape?
    public var image: TitleImage?
    /// The subtitles, drawn over the whole frame.
    public var subtitles: TitleSubtitles?
    /// The layers that are placed and mixed as one picture of the frame's size, from the bottom up.
    public var group: [TitleLayer]?
    /// The placement and mixing of the layer; nil shows it as it is drawn.
    public var appearance: LayerAppearance?
    /// The motion with which the layer enters and leaves, on top of `appearance`.
    public var motion: TitleMotion?
    /// The time at which the layer exists, and the progress of its own time; nil means the time of its parent.
    public var timing: LayerTiming?
    /// The factor by which a text or shape is drawn larger than without its appearance, because the appearance enlarges
    /// it that much at some time of the whole title: 2 or 4; nil means 1. It occurs only in a task, whose keys are
    /// those of its own frames. Groups that are cropped or changed as one picture count as 1: their layers are drawn at
    /// the frame's size.
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

    /// Whether anything in the layer or its group changes with time.
    public var isAnimated: Bool {
        appearance?.isAnimated == true || motion?.isAnimated == true || subtitles != nil
            || (group ?? []).contains(where: \.isAnimated)
    }

    /// All texts in the layer and its group.
    public var texts: [TitleText] { (text.map { [$0] } ?? []) + (group ?? []).flatMap(\.texts) }

    /// All pictures in the layer and its group.
    package var images: [TitleImage] { (image.map { [$0] } ?? []) + (group ?? []).flatMap(\.images) }

    /// All appearances in the layer and its group.
    package var appearances: [LayerAppearance] {
        (appearance.map { [$0] } ?? []) + (group ?? []).flatMap(\.appearances)
    }

    /// All subtitles in the layer and its group.
    public var allSubtitles: [TitleSubtitles] { (subtitles.map { [$0] } ?? []) + (group ?? []).flatMap(\.allSubtitles) }

    /// The layer with `change` applied to it and to every layer in its group.
    package func changed(_ change: (inout TitleLayer) -> Void) -> TitleLayer {
        var layer = self
        change(&layer)
        layer.group = layer.group?.map { $0.changed(change) }
        return layer
    }
}

/// The properties that are added to a layer's own appearance.
public struct TitleMotion: Sendable, Hashable, Codable {
    /// The factor of the layer's opacity, 0…1.
    public var opacity: AnimatedProperty?
    /// The offset that is added to the layer's position, to the right and down, in pixels of the edit's frame.
    public var offset: AnimatedProperty?
    /// The factor of both factors of the layer's scale.
    public var zoom: AnimatedProperty?
    /// The part of a text that is typed, 0…1.
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

    /// Whether any of the properties changes with time.
    public var isAnimated: Bool { [opacity, offset, zoom, typed].contains { ($0?.keys.count ?? 0) > 1 } }
}
