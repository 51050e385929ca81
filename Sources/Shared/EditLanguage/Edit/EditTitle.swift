package import CompositionModel
package import Timing

/// An entry of the list of a title track.
package enum EditTitleItem: Sendable, Hashable {
    case title(EditTitle)
    case gap(EditGap)

    /// The entry's place in the text.
    package var mark: SourceMark {
        switch self {
        case .title(let title): title.mark
        case .gap(let gap): gap.mark
        }
    }
}

/// A title on a title track.
package struct EditTitle: Sendable, Hashable {
    /// The text, the layers or the subtitles that are shown.
    package var content: EditTitleContent
    /// The duration on the timeline, above 0.
    package var duration: Marked<EditTime>
    /// The place on the timeline, never negative; nil follows what came before.
    package var at: Marked<EditTime>?
    /// The rule for its times between two frames; nil asks the edit.
    package var snap: Marked<SnapRule>?
    /// How the title is placed and mixed into the frame. Keys count from its start on the timeline.
    package var appearance = EditAppearance()
    /// How the title comes; nil is at once.
    package var enter: EditTitleMove?
    /// How the title goes; nil is at once.
    package var exit: EditTitleMove?
    /// The object of the title.
    package var mark: SourceMark
}

/// What a title shows.
package enum EditTitleContent: Sendable, Hashable {
    case text(EditTitleText)
    /// Layers from the bottom up.
    case layers([EditTitleLayer])
    case subtitles(EditSubtitles)
}
