public import CompositionModel
public import Timing

/// One track of an edit: segments, gaps and transitions that follow each other.
public struct EditTrack: Sendable, Hashable {
    /// The kinds of a track: pictures, sound or titles.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case video, audio, title
    }

    /// The kind of all entries of the track.
    public var kind: Kind
    /// The name of the track, unique in the edit; nil when it has none.
    public var id: Marked<String>?
    /// The entries of `segments`. Two transitions never follow each other. Empty for a title track.
    public var items: [EditItem]
    /// The entries of `segments` of a title track; empty for any other.
    public var titles: [EditTitleItem] = []
    /// Whether the sound of a video track's segments is heard; nil is true.
    public var sound: Marked<Bool>?
    /// The volume of the track. Keys count from the timeline's zero; nil is 1.
    public var volume: EditVolume?
    /// How the picture of a video track is placed and mixed. Keys count from the timeline's zero.
    public var appearance = EditAppearance()
    /// Pan, balance and processors of the track. Keys count from the timeline's zero.
    public var sounds = EditSound()
    /// The track under which this one is lowered; nil is none.
    public var duck: EditDuck?
    /// Whether the sound of the track is left out; nil is false.
    public var mute: Marked<Bool>?
    /// Whether the sound of all tracks without a solo is left out; nil is false.
    public var solo: Marked<Bool>?
    /// The object of the track.
    public var mark: SourceMark
}

/// An entry of the list of a track of picture or sound.
public enum EditItem: Sendable, Hashable {
    case segment(EditSegment)
    case gap(EditGap)
    case transition(EditTransition)

    /// The entry's place in the text.
    public var mark: SourceMark {
        switch self {
        case .segment(let segment): segment.mark
        case .gap(let gap): gap.mark
        case .transition(let transition): transition.mark
        }
    }
}

/// `{ "gap": "2s" }`: an empty edit.
public struct EditGap: Sendable, Hashable {
    /// The duration on the timeline: never negative, no ``EditTime/frameNumber(_:)``.
    public var duration: Marked<EditTime>
    /// The object of the gap.
    public var mark: SourceMark
}

/// `{ "transition": "dissolve", "duration": "15f" }`.
public struct EditTransition: Sendable, Hashable {
    /// The look with all that is not written resolved; nil is a plain dissolve.
    public var look: TransitionLook?
    /// The name of the asset whose brightness a luma wipe follows.
    public var map: Marked<String>?
    /// The duration on the timeline: above 0, no ``EditTime/frameNumber(_:)``.
    public var duration: Marked<EditTime>
    /// The shape of the crossfade; nil is ``Crossfade/Shape/equalPower``.
    public var audio: Marked<Crossfade.Shape>?
    /// The object of the transition.
    public var mark: SourceMark
}

extension EditTransition {
    /// The kind of the transition.
    public var kind: TransitionKind { look?.kind ?? .dissolve }
}
