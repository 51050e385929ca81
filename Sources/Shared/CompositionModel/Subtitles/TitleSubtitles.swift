public import Timing

/// The cues of a file in their canonical form, drawn over the whole frame.
public struct TitleSubtitles: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    public var asset: Int
    /// The time of the file that is shown at the title's time 0, in seconds.
    public var start: RationalTime
    /// The style of the cues; nil for ASS, which has its own.
    public var style: SubtitleStyle?
    /// The faces of each family that the file names.
    public var families: [SubtitleFamily]
    /// The faces that draw characters which a family lacks, in this order.
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

    /// All faces that the cues may be drawn with.
    public var faces: [SubtitleFace] { families.flatMap(\.faces) + fallback }

    /// A copy in which each asset's position is replaced by `number` of it.
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

/// A font family that a subtitle file names.
public struct SubtitleFamily: Sendable, Hashable, Codable {
    /// The name in the file; empty means the family of the style.
    public var name: String
    /// The faces of several weights and slopes, at least one.
    public var faces: [SubtitleFace]

    public init(name: String, faces: [SubtitleFace]) {
        self.name = name
        self.faces = faces
    }
}

/// One face of a font file, or of a font that a subtitle file carries.
public struct SubtitleFace: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    public var asset: Int
    /// The position among the fonts in the subtitle file; nil for a font file.
    public var font: Int?
    /// The number of the face in its collection; 0 in a file of one face.
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

/// The style of cues that have none of their own. Lengths are millionths of a pixel of the edit's frame; colours are
/// `#rrggbbaa`.
public struct SubtitleStyle: Sendable, Hashable, Codable {
    /// The side of the em square.
    public var size: Int64
    /// The weight of text that no tag makes bold, 100…900.
    public var weight: Int
    public var isItalic: Bool
    public var color: String
    /// The line around the letters.
    public var outline: TitleOutline
    /// The box behind the text; nil means none.
    public var background: TitleBackground?
    /// The part of the frame where cues without a place of their own are.
    public var anchor: TitleBox.Anchor
    public var marginLeft: Int64
    public var marginRight: Int64
    /// The distance from the top or the bottom of the frame.
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
