public import Timing
public import CompositionModel

/// What stands in the list of a title track.
public enum EditTitleItem: Sendable, Hashable {
    case title(EditTitle)
    case gap(EditGap)

    public var mark: SourceMark {
        switch self {
        case .title(let title): title.mark
        case .gap(let gap): gap.mark
        }
    }
}

/// A title on a title track.
public struct EditTitle: Sendable, Hashable {
    public var content: EditTitleContent
    /// On the timeline, above 0.
    public var duration: Marked<EditTime>
    /// Place on the timeline; nil follows what came before. Never negative.
    public var at: Marked<EditTime>?
    /// Nil asks the edit.
    public var snap: Marked<SnapRule>?
    /// Keys count from the title's start on the timeline.
    public var appearance = EditAppearance()
    public var enter: EditTitleMove?
    public var exit: EditTitleMove?
    public var mark: SourceMark
}

/// What a title shows.
public enum EditTitleContent: Sendable, Hashable {
    case text(EditTitleText)
    /// From the bottom up.
    case layers([EditTitleLayer])
    case subtitles(EditSubtitles)
}

/// The cues of a subtitle file and how they are drawn, as it is written. What a file of ASS says for itself is nil.
public struct EditSubtitles: Sendable, Hashable {
    /// A name in ``Edit/assets``.
    public var asset: Marked<String>
    /// Time of the file at the title's start; nil is its beginning.
    public var start: Marked<EditTime>?
    /// Families stand in for those that the file names and that are not there.
    public var font: EditFont
    public var color: Marked<String>?
    public var language: Marked<String>?
    public var outline: EditTitleOutline?
    public var box: EditTitleBox?
    /// The first word that says how cues look, and is nothing for a file that says it itself.
    public var styleMark: SourceMark?
}

/// One layer of a title.
public struct EditTitleLayer: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case text(EditTitleText)
        case shape(EditTitleShape)
        case image(EditTitleImage)
        /// From the bottom up.
        case group([EditTitleLayer])
    }

    public var content: Content
    /// Keys count from the layer's own time 0.
    public var appearance = EditAppearance()
    public var timing: EditLayerTiming?
    public var mark: SourceMark
}

public struct EditTitleShape: Sendable, Hashable {
    public var kind: TitleShape.Kind
    /// Width and height.
    public var size: [EditQuantity]
    public var radius: EditQuantity?
    public var color: Marked<String>?
    public var box: EditTitleBox?
}

public struct EditTitleImage: Sendable, Hashable {
    /// A name in ``Edit/assets``; its first picture is shown.
    public var asset: Marked<String>
    /// One of them alone keeps the picture's shape; without both it has its own size.
    public var width: EditQuantity?
    public var height: EditQuantity?
    public var box: EditTitleBox?
}

/// When a layer is there and how its time runs.
public struct EditLayerTiming: Sendable, Hashable {
    public enum Repeat: Sendable, Hashable {
        /// Runs, in millionths; above 0.
        case count(Int64)
        case duration(Marked<EditTime>)
        case forever
    }

    public var begin: Marked<EditTime>?
    /// Of one run.
    public var duration: Marked<EditTime>?
    /// Above 0.
    public var speed: Marked<RationalTime>?
    /// Nil is once.
    public var runs: Repeat?
    public var autoreverses = false
    public var mark: SourceMark
}

/// A text and how it is drawn, as it is written.
public struct EditTitleText: Sendable, Hashable {
    public var text: Marked<String>
    public var font: EditFont
    /// `#rrggbb` or `#rrggbbaa` in lower case, as all colours here.
    public var color: Marked<String>?
    /// Nil is ``TitleText/Alignment/center``.
    public var alignment: Marked<TitleText.Alignment>?
    public var language: Marked<String>?
    /// Factor of what the font wants.
    public var lineSpacing: Marked<FixedDecimal>?
    public var letterSpacing: EditQuantity?
    public var box: EditTitleBox?
    public var outline: EditTitleOutline?
    public var shadow: EditTitleShadow?
}

public struct EditFont: Sendable, Hashable {
    /// Alternatives, the first that is there is taken; empty takes what is there.
    public var families: [Marked<String>] = []
    /// Names in ``Edit/assets`` of font files, in place of those of the machine.
    public var assets: [Marked<String>] = []
    /// 100…900; nil is 400.
    public var weight: Marked<Int>?
    public var isItalic = false
    /// Of the em square.
    public var size: EditQuantity?
    /// The `font` object, or the title when there is none.
    public var mark: SourceMark
}

public struct EditTitleBox: Sendable, Hashable {
    public var anchor: Marked<TitleBox.Anchor>?
    /// From the left and right, from above and below.
    public var margin: [EditQuantity]?
    public var width: EditQuantity?
    public var background: EditTitleBackground?
}

public struct EditTitleBackground: Sendable, Hashable {
    public var color: Marked<String>
    public var padding: [EditQuantity]?
    public var radius: EditQuantity?
}

public struct EditTitleOutline: Sendable, Hashable {
    public var width: EditQuantity
    public var color: Marked<String>?
}

public struct EditTitleShadow: Sendable, Hashable {
    public var offset: [EditQuantity]?
    public var blur: EditQuantity?
    public var color: Marked<String>?
}

/// `"fade"` or `{ "move": "slide", "from": "left", "duration": "0.5s", "ease": "outCubic" }`: how a title comes or
/// goes.
public struct EditTitleMove: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case fade, rise, slide, type, pop
    }

    /// The side of the frame that a title comes from, and goes to.
    public enum Side: String, Sendable, Hashable, CaseIterable {
        case left, right, top, bottom
    }

    public var kind: Kind
    /// Above 0; nil is half a second, at most half of the title.
    public var duration: Marked<EditTime>?
    /// Nil is ``Side/left`` for a slide.
    public var side: Marked<Side>?
    /// Nil is what suits the kind.
    public var ease: Marked<Easing>?
    public var mark: SourceMark
}
