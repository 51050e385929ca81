public import Timing
public import CompositionModel

/// One track of an edit: segments, gaps and transitions that follow each other.
public struct EditTrack: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case video, audio, title
    }

    public var kind: Kind
    /// Unique in the edit.
    public var id: Marked<String>?
    /// As written under `segments`. Two transitions never follow each other. Empty for a title track.
    public var items: [EditItem]
    /// As written under `segments` of a title track.
    public var titles: [EditTitleItem] = []
    /// Of a video track: whether its segments' own sound is heard; nil is true.
    public var sound: Marked<Bool>?
    /// Keys count from the timeline's zero; nil is 1.
    public var volume: EditVolume?
    /// Of a video track. Keys count from the timeline's zero.
    public var appearance = EditAppearance()
    /// Keys count from the timeline's zero.
    public var sounds = EditSound()
    public var duck: EditDuck?
    public var mute: Marked<Bool>?
    public var solo: Marked<Bool>?
    public var mark: SourceMark
}

/// What stands in a track's list.
public enum EditItem: Sendable, Hashable {
    case segment(EditSegment)
    case gap(EditGap)
    case transition(EditTransition)

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
    /// Never negative; no ``EditTime/frameNumber(_:)``.
    public var duration: Marked<EditTime>
    public var mark: SourceMark
}

/// `{ "transition": "dissolve", "duration": "15f" }`.
public struct EditTransition: Sendable, Hashable {
    /// Resolved; nil is a plain dissolve.
    public var look: TransitionLook?
    /// The name of the asset whose brightness a luma wipe follows.
    public var map: Marked<String>?
    /// Above 0; no ``EditTime/frameNumber(_:)``.
    public var duration: Marked<EditTime>
    /// Nil is ``Crossfade/Shape/equalPower``.
    public var audio: Marked<Crossfade.Shape>?
    public var mark: SourceMark
}

extension EditTransition {
    public var kind: TransitionKind { look?.kind ?? .dissolve }
}
