/// What a font file says of one of its faces: what choosing a face and finding its missing characters needs.
public struct FontFaceFacts: Sendable, Hashable, Codable {
    /// As in ``FontFace/index``.
    public var index: Int
    /// Its family's names, the English one first.
    public var families: [String]
    /// Such as `Bold Italic`; for messages.
    public var style: String
    /// 100 thin, 400 regular, 700 bold, 900 black (OpenType's usWeightClass).
    public var weight: Int
    public var isItalic: Bool
    /// Percent of the normal width (OpenType's usWidthClass): 100 is normal, 75 condensed.
    public var width: Int
    public var isMonospaced: Bool
    /// Draws in colours of its own, as emoji do.
    public var isColor: Bool
    /// The characters that it has: first and count, first and count, …, ascending.
    public var coverage: [Int]

    public init(
        index: Int,
        families: [String],
        style: String,
        weight: Int,
        isItalic: Bool,
        width: Int,
        isMonospaced: Bool,
        isColor: Bool,
        coverage: [Int]
    ) {
        self.index = index
        self.families = families
        self.style = style
        self.weight = weight
        self.isItalic = isItalic
        self.width = width
        self.isMonospaced = isMonospaced
        self.isColor = isColor
        self.coverage = coverage
    }

    /// Whether the face has a glyph for `scalar`.
    public func covers(_ scalar: Unicode.Scalar) -> Bool {
        let value = Int(scalar.value)
        var (low, high) = (0, coverage.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if coverage[2 * middle] + coverage[2 * middle + 1] <= value { low = middle + 1 } else { high = middle }
        }
        return low < coverage.count / 2 && coverage[2 * low] <= value
    }
}
