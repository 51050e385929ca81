public import CompositionModel
public import Timing

/// An entry of the list of a title track.
public enum EditTitleItem: Sendable, Hashable {
    case title(EditTitle)
    case gap(EditGap)

    /// The entry's place in the text.
    public var mark: SourceMark {
        switch self {
        case .title(let title): title.mark
        case .gap(let gap): gap.mark
        }
    }
}

/// A title on a title track.
public struct EditTitle: Sendable, Hashable {
    /// The text, the layers or the subtitles that are shown.
    public var content: EditTitleContent
    /// The duration on the timeline, above 0.
    public var duration: Marked<EditTime>
    /// The place on the timeline, never negative; nil follows what came before.
    public var at: Marked<EditTime>?
    /// The rule for its times between two frames; nil asks the edit.
    public var snap: Marked<SnapRule>?
    /// How the title is placed and mixed into the frame. Keys count from its start on the timeline.
    public var appearance = EditAppearance()
    /// How the title comes; nil is at once.
    public var enter: EditTitleMove?
    /// How the title goes; nil is at once.
    public var exit: EditTitleMove?
    /// The object of the title.
    public var mark: SourceMark
}

/// What a title shows.
public enum EditTitleContent: Sendable, Hashable {
    case text(EditTitleText)
    /// Layers from the bottom up.
    case layers([EditTitleLayer])
    case subtitles(EditSubtitles)
}
