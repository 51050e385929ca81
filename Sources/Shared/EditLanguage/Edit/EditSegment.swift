public import Timing
public import CompositionModel

/// A piece of an asset on a track.
///
/// Which of `start`, `duration`, `range` and `speed` are given is as written; `range` never comes with `start`, and
/// `freeze` comes with `duration` and none of the others. `range` with `duration` is a speed.
public struct EditSegment: Sendable, Hashable {
    /// A name in ``Edit/assets``.
    public var asset: Marked<String>
    /// `in`: source time of the first frame; nil is the asset's start. The only time that may be a
    /// ``EditTime/frameNumber(_:)``. Never negative.
    public var start: Marked<EditTime>?
    /// On the timeline, above 0; nil is to the asset's end.
    public var duration: Marked<EditTime>?
    /// Of the source.
    public var range: EditRange?
    /// Nil is what `range` and `duration` say, else 1.
    public var speed: Marked<EditSpeed>?
    /// Source time of a frame that is held for `duration`.
    public var freeze: Marked<EditTime>?
    /// Place on the timeline; nil follows what came before. Never negative.
    public var at: Marked<EditTime>?
    public var track: Marked<SourceTrack>?
    /// BCP 47 or ISO 639 code as the file has it, in lower case.
    public var language: Marked<String>?
    /// Whether a video segment's own sound is heard; nil asks the track.
    public var sound: Marked<Bool>?
    /// Nil is ``Fit/contain``.
    public var fit: Marked<Fit>?
    /// Of its sound. Keys count from the segment's start on the timeline; nil is 1.
    public var volume: EditVolume?
    /// Nil asks the edit.
    public var snap: Marked<SnapRule>?
    /// Of its picture. Keys count from the segment's start on the timeline.
    public var appearance = EditAppearance()
    /// Of its picture; nil shows whole frames of the source.
    public var blending: Marked<FrameBlending>?
    /// Keys count from the segment's start on the timeline.
    public var sounds = EditSound()
    /// Nil is ``PitchRule/follow``.
    public var pitch: Marked<PitchRule>?
    /// Nil plays once.
    public var loop: Marked<LoopRule>?
    /// Of a track of sound; nil ends by itself.
    public var until: Marked<EndRule>?
    /// Whether the sound of a held frame goes on with it; else it is silent.
    public var holdsSound = false
    /// What each channel of the edit gets of each of the source, in millionths; nil is as their loudspeakers say.
    public var channels: Marked<[[Int64]]>?
    public var mark: SourceMark
}

/// What cuts a segment.
public enum EndRule: String, Sendable, Hashable, CaseIterable {
    /// The end of the longest track of picture or titles.
    case picture
}

/// `[start, duration]`.
public struct EditRange: Sendable, Hashable {
    /// Never negative.
    public var start: Marked<EditTime>
    /// Above 0.
    public var duration: Marked<EditTime>
    public var mark: SourceMark
}

/// A stream of an asset by kind and position among the asset's streams of that kind: `"video/0"`, `"audio/1"`.
public struct SourceTrack: Sendable, Hashable {
    public var kind: EditTrack.Kind
    /// From 0.
    public var number: Int
}
