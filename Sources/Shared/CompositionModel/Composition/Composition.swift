package import Timing

/// An edit in its canonical form, `"composition/1"`. Everything is resolved and explicit; this is the form that is
/// hashed, stored and planned.
///
/// The model is AV Foundation's: tracks of segments without transitions, and instructions that say how the tracks are
/// put together. Overlapping segments are on separate tracks:
/// ```
/// edit        [ A        ]               a dissolve overlaps the end of A and the start of B
///                     [ B        ]
/// track v1.a  [ A        ]~~~gap~~~
/// track v1.b  ~~~gap~~[ B        ]
/// instruction |A only | A→B |B only |
/// ```
package struct Composition: Sendable, Hashable, Codable {
    /// The value of ``schema`` that this version reads and writes.
    package static let schemaName = "composition/1"

    /// The name of the document's form; always ``schemaName`` in a valid composition.
    package var schema: String
    package var format: Format
    /// The length of the timeline, in frames of `format.frameRate`.
    package var frameCount: Int64
    /// The length in samples per channel of a timeline without picture that ends within its last frame; nil: the sound
    /// ends with the last frame.
    package var soundSampleCount: Int64?
    /// The assets in the order of first use. Tracks refer to them by position.
    package var assets: [CompositionAsset]
    /// The edits that are assets, each after those that it holds itself; nil means none.
    package var nested: [NestedComposition]?
    package var videoTracks: [VideoTrack]
    /// The tracks of titles; nil means none.
    package var titleTracks: [TitleTrack]?
    /// The instructions in order of time; their layers name video tracks and title tracks.
    package var instructions: [VideoCompositionInstruction]
    package var audioTracks: [AudioTrack]
    /// The processing of the sum of all audio tracks; nil leaves it as it is.
    package var master: MasterMix?
    package var outputs: [OutputSettings]

    package init(
        format: Format,
        frameCount: Int64,
        soundSampleCount: Int64? = nil,
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
        self.soundSampleCount = soundSampleCount
        self.assets = assets
        self.nested = nested
        self.videoTracks = videoTracks
        self.titleTracks = titleTracks
        self.instructions = instructions
        self.audioTracks = audioTracks
        self.master = master
        self.outputs = outputs
    }

    /// The number of samples per channel of the whole timeline: ``soundSampleCount``, else
    /// round(frames × frameDuration × sampleRate).
    /// - Throws: ``TimeError/overflow`` when the number does not fit.
    package func sampleCount() throws(TimeError) -> Int64 {
        if let soundSampleCount { return soundSampleCount }
        return try format.frameRate.sample(ofFrame: frameCount, sampleRate: format.sampleRate)
    }

    /// The numbers of the samples per channel of `frames` as ``FrameRate/samples(ofFrames:sampleRate:)`` has them; those
    /// of the last frame end where the timeline's sound does.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    package func samples(ofFrames frames: FrameRange) throws(TimeError) -> Range<Int64> {
        let samples = try format.frameRate.samples(ofFrames: frames, sampleRate: format.sampleRate)
        guard let soundSampleCount, frames.end >= frameCount else { return samples }
        return samples.lowerBound..<max(samples.lowerBound, soundSampleCount)
    }
}

/// One asset that a composition uses.
package struct CompositionAsset: Sendable, Hashable, Codable {
    /// The asset's name in the edit, for messages.
    package var name: String
    package var digest: ContentDigest

    package init(name: String, digest: ContentDigest) {
        self.name = name
        self.digest = digest
    }
}

/// One sequence of picture pieces that never overlap; between two of them the track may be empty.
package struct VideoTrack: Sendable, Hashable, Codable {
    /// The name by which instructions refer to the track.
    package var id: String
    package var segments: [VideoTrackSegment]
    /// The placement and mixing of all that the track shows, applied after those of its segments; nil does nothing. The
    /// picture it applies to is the whole frame. Key times count from the timeline's zero.
    package var appearance: LayerAppearance?

    package init(id: String, segments: [VideoTrackSegment], appearance: LayerAppearance? = nil) {
        self.id = id
        self.segments = segments
        self.appearance = appearance
    }
}

/// The rule for a time between the starts of two frames of a source.
package enum FrameBlending: String, Sendable, Hashable, Codable, CaseIterable {
    /// Show the mean of both frames, each weighted by how near the time is to its start.
    case frames
}

/// A run of frames over which the set of layers is constant. Instructions cover the timeline without hole or overlap.
package struct VideoCompositionInstruction: Sendable, Hashable, Codable {
    package var frames: FrameRange
    /// The layers from the bottom up; an empty list shows the background.
    package var layers: [LayerInstruction]

    package init(frames: FrameRange, layers: [LayerInstruction]) {
        self.frames = frames
        self.layers = layers
    }
}

/// The picture that one layer shows in an instruction: the track named `from`, or a transition from it to the track
/// `to`. Outside a transition, `transition` and `to` are nil. In a transition, a nil side is the background (or the
/// layers below); this occurs at the end of a track or beside a gap.
package struct LayerInstruction: Sendable, Hashable, Codable {
    /// The track that is shown, or from which the transition starts.
    package var from: String?
    /// The track to which the transition leads; nil outside a transition.
    package var to: String?
    /// The part of the transition in this instruction; nil outside a transition.
    package var transition: TransitionRamp?

    /// A layer that shows `track` without a transition.
    package init(track: String) {
        from = track
    }

    package init(from: String?, to: String?, transition: TransitionRamp) {
        self.from = from
        self.to = to
        self.transition = transition
    }
}
