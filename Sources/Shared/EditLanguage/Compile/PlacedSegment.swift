import CompositionModel
import Timing

/// A segment that has its place. `start` and `end` count the units of its track: frames of picture, samples of sound.
struct PlacedSegment {
    /// The segment as it is written. For one run of a loop ``ownSegment(at:)`` counts.
    var segment: EditSegment
    /// The time for which it has been played already in earlier runs of its loop.
    var played: RationalTime = .zero
    /// The name in the edit.
    var asset: String
    var streams: StreamChoice
    /// The source time of its `in`, or of the frame that it holds.
    var sourceIn: RationalTime
    /// The source time at `start`.
    var sourceStart: RationalTime
    /// Source seconds for a second of the timeline; below 0 backwards, 0 holds one frame.
    var speed: RationalTime
    /// The time-remap curve, in place of `speed` where that changes.
    @OptionalCopyOnWrite var curve: RetimeCurve?
    /// The same for its sound; nil where nothing is heard.
    @OptionalCopyOnWrite var remap: TimeRemapCurve?
    /// Samples of the source, from its first one on, that are heard again and again; nil for picture and for sound that
    /// is played once.
    var loop: SampleLoop?
    /// The exact time at which it begins on a track of sound, within half a sample of `start`; nil for picture, which
    /// begins on a frame.
    var exactStart: RationalTime?
    var start: Int64
    var end: Int64
    @OptionalCopyOnWrite var fadeIn: PlacedTransition?
    @OptionalCopyOnWrite var fadeOut: PlacedTransition?

    var count: Int64 { end - start }

    /// The numbers of its curves, as ``CompileAllowance/rampSteps`` counts them.
    var curveSteps: Int { (curve?.count ?? 0) + ((remap?.knots.count ?? 0) + 3) / 4 }
}

/// A transition that has its place, as one of its two segments sees it.
struct PlacedTransition {
    /// The first frame or sample.
    var start: Int64
    var end: Int64
    var shape: Crossfade.Shape
    /// The look; nil is a dissolve.
    var look: TransitionLook?
    var map: PlacedMap?
    /// Whether it stands between two segments; else it is against the background.
    var isShared: Bool
    var mark: SourceMark

    var count: Int64 { end - start }
}

/// The picture of an asset that a luma wipe follows.
struct PlacedMap {
    /// The name in the edit.
    var asset: String
    var stream: Int
}

/// A track whose segments have their places, in order of time.
struct PlacedTrack {
    var track: EditTrack
    /// Unique among the tracks of the edit.
    var id: String
    var segments: [PlacedSegment]
    /// Where the track ends, in its units: the end of its last segment or gap.
    var end: Int64

    /// What tracks of the composition that are made of this one may be called.
    var composedNames: [String] {
        let sides = [0, 1].map { PictureAssembly.name(id, $0) }
        return track.kind == .video ? sides + sides.map(PictureAssembly.soundName) : [id]
    }
}
