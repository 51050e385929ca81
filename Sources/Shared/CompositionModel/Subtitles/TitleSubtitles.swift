public import Timing

/// The cues of a file in their canonical form: drawn over the whole frame.
public struct TitleSubtitles: Sendable, Hashable, Codable {
    /// Position in `Composition.assets`, or in the assets of a task.
    public var asset: Int
    /// Time of the file that is shown at the title's time 0, in seconds.
    public var start: RationalTime
    /// Nil for ASS, which has its own.
    public var style: SubtitleStyle?
    /// The faces of each family that the file names.
    public var families: [SubtitleFamily]
    /// What draws characters that a family has not, in this order.
    public var fallback: [SubtitleFace]

    public init(
        asset: Int,
        start: RationalTime,
        style: SubtitleStyle?,
        families: [SubtitleFamily],
        fallback: [SubtitleFace]
    ) {
        self.asset = asset
        self.start = start
        self.style = style
        self.families = families
        self.fallback = fallback
    }

    /// All its faces.
    public var faces: [SubtitleFace] { families.flatMap(\.faces) + fallback }

    /// The same with each asset as `number` has it.
    func renumbered(_ number: (Int) -> Int) -> TitleSubtitles {
        var copy = self
        copy.asset = number(asset)
        for index in copy.families.indices {
            copy.families[index].faces = copy.families[index].faces.map { $0.renumbered(number) }
        }
        copy.fallback = fallback.map { $0.renumbered(number) }
        return copy
    }
}

/// A family as a subtitle file names it.
public struct SubtitleFamily: Sendable, Hashable, Codable {
    /// Empty is that of the style.
    public var name: String
    /// Of several weights and slopes. At least one.
    public var faces: [SubtitleFace]

    public init(name: String, faces: [SubtitleFace]) {
        self.name = name
        self.faces = faces
    }
}

/// One face of a font file, or of a font that a subtitle file carries.
public struct SubtitleFace: Sendable, Hashable, Codable {
    /// Position in `Composition.assets`, or in the assets of a task.
    public var asset: Int
    /// Of the fonts in the subtitle file; nil for a font file.
    public var font: Int?
    /// The face of a collection.
    public var index: Int

    public init(asset: Int, font: Int? = nil, index: Int) {
        self.asset = asset
        self.font = font
        self.index = index
    }

    fileprivate func renumbered(_ number: (Int) -> Int) -> SubtitleFace {
        SubtitleFace(asset: number(asset), font: font, index: index)
    }
}

/// How cues without a style of their own are drawn. Lengths are millionths of a pixel of the edit's frame; colours are
/// `#rrggbbaa`.
public struct SubtitleStyle: Sendable, Hashable, Codable {
    /// Of the em square.
    public var size: Int64
    /// 100…900, of what no tag makes bold.
    public var weight: Int
    public var isItalic: Bool
    public var color: String
    public var outline: TitleOutline
    public var background: TitleBackground?
    public var anchor: TitleBox.Anchor
    public var marginLeft: Int64
    public var marginRight: Int64
    public var marginVertical: Int64

    public init(
        size: Int64,
        weight: Int,
        isItalic: Bool,
        color: String,
        outline: TitleOutline,
        background: TitleBackground?,
        anchor: TitleBox.Anchor,
        marginLeft: Int64,
        marginRight: Int64,
        marginVertical: Int64
    ) {
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
        self.color = color
        self.outline = outline
        self.background = background
        self.anchor = anchor
        self.marginLeft = marginLeft
        self.marginRight = marginRight
        self.marginVertical = marginVertical
    }
}
