package import Timing

/// One sequence of titles that never overlap.
package struct TitleTrack: Sendable, Hashable, Codable {
    package var id: String
    package var segments: [TitleTrackSegment]

    package init(id: String, segments: [TitleTrackSegment]) {
        self.id = id
        self.segments = segments
    }
}

/// One title on a track.
package struct TitleTrackSegment: Sendable, Hashable, Codable {
    /// The frames of the timeline that the title covers.
    package var target: FrameRange
    /// The layers from the bottom up. Their times count from the first frame of `target`.
    package var layers: [TitleLayer]

    package init(target: FrameRange, layers: [TitleLayer]) {
        self.target = target
        self.layers = layers
    }
}

/// One layer of a title: exactly one of `text`, `shape`, `image`, `subtitles` and `group` is set.
package struct TitleLayer: Sendable, Hashable, Codable {
    package var text: TitleText?
    package var shape: TitleShape?
    package var image: TitleImage?
    /// The subtitles, drawn over the whole frame.
    package var subtitles: TitleSubtitles?
    /// The layers that are placed and mixed as one picture of the frame's size, from the bottom up.
    package var group: [TitleLayer]?
    /// The placement and mixing of the layer; nil shows it as it is drawn.
    package var appearance: LayerAppearance?
    /// The motion with which the layer enters and leaves, on top of `appearance`.
    package var motion: TitleMotion?
    /// The time at which the layer exists, and the progress of its own time; nil means the time of its parent.
    package var timing: LayerTiming?
    /// The factor by which a text or shape is drawn larger than without its appearance, because the appearance enlarges
    /// it that much at some time of the whole title: 2 or 4; nil means 1. It occurs only in a task, whose keys are
    /// those of its own frames. Groups that are cropped or changed as one picture count as 1: their layers are drawn at
    /// the frame's size.
    package var detail: Int?

    package init(
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
    package var isAnimated: Bool {
        appearance?.isAnimated == true || motion?.isAnimated == true || subtitles != nil
            || (group ?? []).contains(where: \.isAnimated)
    }

    /// All texts in the layer and its group.
    package var texts: [TitleText] { (text.map { [$0] } ?? []) + (group ?? []).flatMap(\.texts) }

    /// All pictures in the layer and its group.
    package var images: [TitleImage] { (image.map { [$0] } ?? []) + (group ?? []).flatMap(\.images) }

    /// All appearances in the layer and its group.
    package var appearances: [LayerAppearance] {
        (appearance.map { [$0] } ?? []) + (group ?? []).flatMap(\.appearances)
    }

    /// All subtitles in the layer and its group.
    package var allSubtitles: [TitleSubtitles] {
        (subtitles.map { [$0] } ?? []) + (group ?? []).flatMap(\.allSubtitles)
    }

    /// The layer with `change` applied to it and to every layer in its group.
    package func changed(_ change: (inout TitleLayer) -> Void) -> TitleLayer {
        var layer = self
        change(&layer)
        layer.group = layer.group?.map { $0.changed(change) }
        return layer
    }
}

/// The properties that are added to a layer's own appearance.
package struct TitleMotion: Sendable, Hashable, Codable {
    /// The factor of the layer's opacity, 0…1.
    package var opacity: AnimatedProperty?
    /// The offset that is added to the layer's position, to the right and down, in pixels of the edit's frame.
    package var offset: AnimatedProperty?
    /// The factor of both factors of the layer's scale.
    package var zoom: AnimatedProperty?
    /// The part of a text that is typed, 0…1.
    package var typed: AnimatedProperty?

    package init(
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
    package var isAnimated: Bool { [opacity, offset, zoom, typed].contains { ($0?.keys.count ?? 0) > 1 } }
}
