package import Timing

/// The cues of a file in their canonical form, drawn over the whole frame.
package struct TitleSubtitles: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    package var asset: Int
    /// The time of the file that is shown at the title's time 0, in seconds.
    package var start: RationalTime
    /// The style of the cues; nil for ASS, which has its own.
    package var style: SubtitleStyle?
    /// The faces of each family that the file names.
    package var families: [SubtitleFamily]
    /// The faces that draw characters which a family lacks, in this order.
    package var fallback: [SubtitleFace]

    package init(
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
    package var faces: [SubtitleFace] { families.flatMap(\.faces) + fallback }

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
package struct SubtitleFamily: Sendable, Hashable, Codable {
    /// The name in the file; empty means the family of the style.
    package var name: String
    /// The faces of several weights and slopes, at least one.
    package var faces: [SubtitleFace]

    package init(name: String, faces: [SubtitleFace]) {
        self.name = name
        self.faces = faces
    }
}

/// One face of a font file, or of a font that a subtitle file carries.
package struct SubtitleFace: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    package var asset: Int
    /// The position among the fonts in the subtitle file; nil for a font file.
    package var font: Int?
    /// The number of the face in its collection; 0 in a file of one face.
    package var index: Int

    package init(asset: Int, font: Int? = nil, index: Int) {
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
package struct SubtitleStyle: Sendable, Hashable, Codable {
    /// The side of the em square.
    package var size: Int64
    /// The weight of text that no tag makes bold, 100…900.
    package var weight: Int
    package var isItalic: Bool
    package var color: String
    /// The line around the letters.
    package var outline: TitleOutline
    /// The box behind the text; nil means none.
    package var background: TitleBackground?
    /// The part of the frame where cues without a place of their own are.
    package var anchor: TitleBox.Anchor
    package var marginLeft: Int64
    package var marginRight: Int64
    /// The distance from the top or the bottom of the frame.
    package var marginVertical: Int64

    package init(
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
