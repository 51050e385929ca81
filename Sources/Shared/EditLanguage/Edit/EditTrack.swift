package import CompositionModel
package import Timing

/// One track of an edit: segments, gaps and transitions that follow each other.
package struct EditTrack: Sendable, Hashable {
    /// The kinds of a track: pictures, sound or titles.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case video, audio, title
    }

    /// The kind of all entries of the track.
    package var kind: Kind
    /// The name of the track, unique in the edit; nil when it has none.
    package var id: Marked<String>?
    /// The entries of `segments`. Two transitions never follow each other. Empty for a title track.
    package var items: [EditItem]
    /// The entries of `segments` of a title track; empty for any other.
    package var titles: [EditTitleItem] = []
    /// Whether the sound of a video track's segments is heard; nil is true.
    package var sound: Marked<Bool>?
    /// The volume of the track. Keys count from the timeline's zero; nil is 1.
    package var volume: EditVolume?
    /// How the picture of a video track is placed and mixed. Keys count from the timeline's zero.
    package var appearance = EditAppearance()
    /// Pan, balance and processors of the track. Keys count from the timeline's zero.
    package var sounds = EditSound()
    /// The track under which this one is lowered; nil is none.
    package var duck: EditDuck?
    /// Whether the sound of the track is left out; nil is false.
    package var mute: Marked<Bool>?
    /// Whether the sound of all tracks without a solo is left out; nil is false.
    package var solo: Marked<Bool>?
    /// The object of the track.
    package var mark: SourceMark
}

/// An entry of the list of a track of picture or sound. Most are segments, and the others take no room in their place.
package enum EditItem: Sendable, Hashable {
    case segment(EditSegment)
    indirect case gap(EditGap)
    indirect case transition(EditTransition)

    /// The entry's place in the text.
    package var mark: SourceMark {
        switch self {
        case .segment(let segment): segment.mark
        case .gap(let gap): gap.mark
        case .transition(let transition): transition.mark
        }
    }
}

/// `{ "gap": "2s" }`: an empty edit.
package struct EditGap: Sendable, Hashable {
    /// The duration on the timeline: never negative, no ``EditTime/frameNumber(_:)``.
    package var duration: Marked<EditTime>
    /// The object of the gap.
    package var mark: SourceMark
}

/// `{ "transition": "dissolve", "duration": "15f" }`.
package struct EditTransition: Sendable, Hashable {
    /// The look with all that is not written resolved; nil is a plain dissolve.
    package var look: TransitionLook?
    /// The name of the asset whose brightness a luma wipe follows.
    package var map: Marked<String>?
    /// The duration on the timeline: above 0, no ``EditTime/frameNumber(_:)``.
    package var duration: Marked<EditTime>
    /// The shape of the crossfade; nil is ``Crossfade/Shape/equalPower``.
    package var audio: Marked<Crossfade.Shape>?
    /// The object of the transition.
    package var mark: SourceMark
}

extension EditTransition {
    /// The kind of the transition.
    package var kind: TransitionKind { look?.kind ?? .dissolve }
}
