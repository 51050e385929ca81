/// One block of text in its canonical form: its words, its faces, its look and its position.
///
/// Lengths are millionths of a pixel of the edit's frame, at whatever size it is rendered; colours are `#rrggbbaa`.
package struct TitleText: Sendable, Hashable, Codable {
    /// The alignment of the lines in the box.
    package enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
        /// Align to the side where lines begin or end in the direction of the text.
        case start, end
        case left, center, right
        /// Make every line as wide as the box, except the last of a paragraph.
        case justify
    }

    /// The words; lines end at `\n`.
    package var text: String
    /// The faces that draw the text, at least one: each character is drawn by the first face that has it.
    package var faces: [FontFace]
    /// The side of the em square; above 0.
    package var size: Int64
    package var color: String
    package var alignment: Alignment
    /// The language in BCP 47, because fonts distinguish languages of one script; nil leaves the choice to the script.
    package var language: String?
    /// The distance between baselines in millionths of the face's own distance; nil means the face's own.
    package var lineSpacing: Int64?
    /// The length added between letters; nil means none.
    package var letterSpacing: Int64?
    package var box: TitleBox
    package var outline: TitleOutline?
    package var shadow: TitleShadow?

    package init(
        text: String,
        faces: [FontFace],
        size: Int64,
        color: String = "#ffffffff",
        alignment: Alignment = .center,
        language: String? = nil,
        lineSpacing: Int64? = nil,
        letterSpacing: Int64? = nil,
        box: TitleBox = TitleBox(),
        outline: TitleOutline? = nil,
        shadow: TitleShadow? = nil
    ) {
        self.text = text
        self.faces = faces
        self.size = size
        self.color = color
        self.alignment = alignment
        self.language = language
        self.lineSpacing = lineSpacing
        self.letterSpacing = letterSpacing
        self.box = box
        self.outline = outline
        self.shadow = shadow
    }
}

/// The position of a block in the frame.
package struct TitleBox: Sendable, Hashable, Codable {
    /// The corner, side or centre of the frame on which the same point of the block is placed.
    package enum Anchor: String, Sendable, Hashable, Codable, CaseIterable {
        case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight

        /// The halves of the free room, 0, 1 or 2, that lie left of and above the block.
        package var halves: (x: Int64, y: Int64) {
            let place = Int64(Anchor.allCases.firstIndex(of: self) ?? 4)
            return (place % 3, place / 3)
        }
    }

    package var anchor: Anchor
    /// The distance between the block and the left or right edge of the frame.
    package var marginX: Int64
    /// The distance between the block and the upper or lower edge of the frame.
    package var marginY: Int64
    /// The width at which lines are broken; nil breaks none.
    package var width: Int64?
    /// The box behind the text; nil means none.
    package var background: TitleBackground?

    package init(
        anchor: Anchor = .center,
        marginX: Int64 = 0,
        marginY: Int64 = 0,
        width: Int64? = nil,
        background: TitleBackground? = nil
    ) {
        self.anchor = anchor
        self.marginX = marginX
        self.marginY = marginY
        self.width = width
        self.background = background
    }
}

/// A plain box behind the text; its padding enlarges the block.
package struct TitleBackground: Sendable, Hashable, Codable {
    package var color: String
    /// The padding left and right of the text.
    package var paddingX: Int64
    /// The padding above and below the text.
    package var paddingY: Int64
    /// The radius of the corners.
    package var radius: Int64

    package init(color: String, paddingX: Int64 = 0, paddingY: Int64 = 0, radius: Int64 = 0) {
        self.color = color
        self.paddingX = paddingX
        self.paddingY = paddingY
        self.radius = radius
    }
}

/// A line around the outside of the letters.
package struct TitleOutline: Sendable, Hashable, Codable {
    package var width: Int64
    package var color: String

    package init(width: Int64, color: String) {
        self.width = width
        self.color = color
    }
}

/// The shadow of the text and its outline.
package struct TitleShadow: Sendable, Hashable, Codable {
    /// The offset of the shadow to the right.
    package var x: Int64
    /// The offset of the shadow downwards.
    package var y: Int64
    /// The standard deviation of the blur.
    package var blur: Int64
    package var color: String

    package init(x: Int64, y: Int64, blur: Int64, color: String) {
        self.x = x
        self.y = y
        self.blur = blur
        self.color = color
    }
}

/// One face of a font file.
package struct FontFace: Sendable, Hashable, Codable {
    /// The position in ``Composition/assets``, or in the assets of a task.
    package var asset: Int
    /// FreeType's index: the face of a collection, with the number of a variable font's named instance in the upper 16
    /// bits.
    package var index: Int

    package init(asset: Int, index: Int) {
        self.asset = asset
        self.index = index
    }
}
