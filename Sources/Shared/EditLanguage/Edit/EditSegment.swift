package import CompositionModel
package import Timing

/// A piece of an asset on a track. Copies share what it says, because an edit may have hundreds of thousands of them.
///
/// `start`, `duration`, `range` and `speed` are given as they are written: `range` never comes with `start`, and
/// `freeze` comes with `duration` and none of the others. `range` with `duration` is a speed.
@dynamicMemberLookup
package struct EditSegment: Sendable, Hashable {
    @CopyOnWrite private var keys: Keys

    init(_ keys: Keys) { _keys = CopyOnWrite(wrappedValue: keys) }

    /// What the keys of a segment's object say. Most segments say three things of them, so the others take no memory where
    /// they are not said.
    package struct Keys: Sendable, Hashable {
        /// The name of the asset in ``Edit/assets``.
        package var asset: Marked<String>
        /// `in`: the source time of the first frame, never negative; nil is the asset's start. It may be a
        /// ``EditTime/frameNumber(_:)``.
        package var start: Marked<EditTime>?
        /// The duration on the timeline, above 0; nil is to the asset's end.
        package var duration: Marked<EditTime>?
        /// The part of the source that is played; nil is what `start` and `duration` say.
        @OptionalCopyOnWrite package var range: EditRange? = nil
        /// How fast the source runs; nil is what `range` and `duration` say, else 1.
        @OptionalCopyOnWrite package var speed: Marked<EditSpeed>? = nil
        /// The source time of a frame that is held for `duration`.
        @OptionalCopyOnWrite package var freeze: Marked<EditTime>? = nil
        /// The place on the timeline, never negative; nil follows what came before.
        @OptionalCopyOnWrite package var at: Marked<EditTime>? = nil
        /// The track of the asset that is played; nil is its default one.
        @OptionalCopyOnWrite package var track: Marked<SourceTrack>? = nil
        /// The language that chooses the asset's track: a BCP 47 or ISO 639 code as the file has it, in lower case.
        @OptionalCopyOnWrite package var language: Marked<String>? = nil
        /// Whether a video segment's own sound is heard; nil asks the track.
        @OptionalCopyOnWrite package var sound: Marked<Bool>? = nil
        /// How the picture is fitted into the frame; nil is ``Fit/contain``.
        @OptionalCopyOnWrite package var fit: Marked<Fit>? = nil
        /// The volume of its sound. Keys count from the segment's start on the timeline; nil is 1.
        @OptionalCopyOnWrite package var volume: EditVolume? = nil
        /// The rule for its times between two frames; nil asks the edit.
        @OptionalCopyOnWrite package var snap: Marked<SnapRule>? = nil
        /// How its picture is placed and mixed. Keys count from the segment's start on the timeline.
        package var appearance: EditAppearance {
            get { writtenAppearance ?? EditAppearance() }
            set { writtenAppearance = newValue.isPlain ? nil : newValue }
        }
        /// ``appearance`` where it says anything.
        @OptionalCopyOnWrite var writtenAppearance: EditAppearance? = nil
        /// How frames of the source are mixed; nil shows whole ones.
        @OptionalCopyOnWrite package var blending: Marked<FrameBlending>? = nil
        /// Pan, balance and processors. Keys count from the segment's start on the timeline.
        package var sounds = EditSound()
        /// What becomes of the pitch at another speed; nil is ``PitchRule/follow``.
        @OptionalCopyOnWrite package var pitch: Marked<PitchRule>? = nil
        /// How often it is played; nil is once.
        @OptionalCopyOnWrite package var loop: Marked<LoopRule>? = nil
        /// What cuts a segment of a track of sound; nil lets it end by itself.
        @OptionalCopyOnWrite package var until: Marked<EndRule>? = nil
        /// Whether the sound of a held frame goes on with it; else it is silent.
        package var holdsSound = false
        /// How much of each channel of the source each channel of the edit gets, in millionths; nil is as their loudspeakers say.
        @OptionalCopyOnWrite package var channels: Marked<[[Int64]]>? = nil
        /// The object of the segment.
        package var mark: SourceMark
    }

    /// Whether nothing is said of how its picture is placed and mixed.
    var hasPlainPicture: Bool { _keys[member: \.writtenAppearance] == nil }

    /// One of the keys.
    package subscript<Value>(dynamicMember key: WritableKeyPath<Keys, Value>) -> Value {
        get { _keys[member: key] }
        set { keys[keyPath: key] = newValue }
    }
}

/// What cuts a segment.
package enum EndRule: String, Sendable, Hashable, CaseIterable {
    /// The end of the longest track of picture or titles.
    case picture
}

/// `[start, duration]`.
package struct EditRange: Sendable, Hashable {
    /// The first time, never negative.
    package var start: Marked<EditTime>
    /// The duration, above 0.
    package var duration: Marked<EditTime>
    /// The list of the two.
    package var mark: SourceMark
}

/// A stream of an asset by kind and position among the asset's streams of that kind: `"video/0"`, `"audio/1"`.
package struct SourceTrack: Sendable, Hashable {
    /// Picture or sound.
    package var kind: EditTrack.Kind
    /// The position among the streams of this kind, from 0.
    package var number: Int
}
