/// One block of text in its canonical form: what it says, in which faces, how it is drawn and where it stands.
///
/// Lengths are millionths of a pixel of the edit's frame, whatever size is rendered; colours are `#rrggbbaa`.
public struct TitleText: Sendable, Hashable, Codable {
    public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
        /// Where lines begin and end in the direction of the text.
        case start, end
        case left, center, right
        /// Lines but the last of a paragraph as wide as the box.
        case justify
    }

    /// Lines end at `\n`.
    public var text: String
    /// The faces that draw it: a character is drawn by the first that has it. At least one.
    public var faces: [FontFace]
    /// Of the em square; above 0.
    public var size: Int64
    public var color: String
    public var alignment: Alignment
    /// BCP 47, as fonts distinguish languages of one script; nil asks the script alone.
    public var language: String?
    /// From baseline to baseline, as millionths of what the face wants; nil is that.
    public var lineSpacing: Int64?
    /// Added between letters; nil is none.
    public var letterSpacing: Int64?
    public var box: TitleBox
    public var outline: TitleOutline?
    public var shadow: TitleShadow?

    public init(
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

/// Where a block of text stands in the frame.
public struct TitleBox: Sendable, Hashable, Codable {
    /// The corner, side or centre of the frame that the same one of the block is put to.
    public enum Anchor: String, Sendable, Hashable, Codable, CaseIterable {
        case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight

        /// 0, 1 or 2 halves of the free room that lie left of and above the block.
        public var halves: (x: Int64, y: Int64) {
            let place = Int64(Anchor.allCases.firstIndex(of: self) ?? 4)
            return (place % 3, place / 3)
        }
    }

    public var anchor: Anchor
    /// Between the block and the frame's edges: left and right, above and below.
    public var marginX: Int64
    public var marginY: Int64
    /// Lines are broken at it; nil breaks none.
    public var width: Int64?
    public var background: TitleBackground?

    public init(
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

/// A plain box behind the text; the block is larger by its padding.
public struct TitleBackground: Sendable, Hashable, Codable {
    public var color: String
    public var paddingX: Int64
    public var paddingY: Int64
    /// Of the corners.
    public var radius: Int64

    public init(color: String, paddingX: Int64 = 0, paddingY: Int64 = 0, radius: Int64 = 0) {
        self.color = color
        self.paddingX = paddingX
        self.paddingY = paddingY
        self.radius = radius
    }
}

/// A line around the letters, outside of them.
public struct TitleOutline: Sendable, Hashable, Codable {
    public var width: Int64
    public var color: String

    public init(width: Int64, color: String) {
        self.width = width
        self.color = color
    }
}

/// What the text, with its outline, casts.
public struct TitleShadow: Sendable, Hashable, Codable {
    /// To the right and down.
    public var x: Int64
    public var y: Int64
    /// Standard deviation of the blur.
    public var blur: Int64
    public var color: String

    public init(x: Int64, y: Int64, blur: Int64, color: String) {
        self.x = x
        self.y = y
        self.blur = blur
        self.color = color
    }
}

/// One face of a font file.
public struct FontFace: Sendable, Hashable, Codable {
    /// Position in `Composition.assets`, or in the assets of a task.
    public var asset: Int
    /// FreeType's: the face of a collection, with the number of a variable font's named instance in the upper 16 bits.
    public var index: Int

    public init(asset: Int, index: Int) {
        self.asset = asset
        self.index = index
    }
}
