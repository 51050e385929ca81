/// The facts of one face in a font file: those needed to choose a face and to find missing characters.
package struct FontFaceFacts: Sendable, Hashable, Codable {
    /// The index of the face, as in ``FontFace/index``.
    package var index: Int
    /// The names of its family, the English one first.
    package var families: [String]
    /// The style for messages, such as `Bold Italic`.
    package var style: String
    /// The weight (OpenType's usWeightClass): 100 is thin, 400 regular, 700 bold, 900 black.
    package var weight: Int
    package var isItalic: Bool
    /// The width in percent of the normal one (from OpenType's usWidthClass): 100 is normal, 75 condensed.
    package var width: Int
    package var isMonospaced: Bool
    /// Whether the face draws in colours of its own, as emoji fonts do.
    package var isColor: Bool
    /// The characters that the face has, as runs in ascending order: the first code point and the count of each run in
    /// turn.
    package var coverage: [Int]

    package init(
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
    package func covers(_ scalar: Unicode.Scalar) -> Bool {
        let value = Int(scalar.value)
        var (low, high) = (0, coverage.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if coverage[2 * middle] + coverage[2 * middle + 1] <= value { low = middle + 1 } else { high = middle }
        }
        return low < coverage.count / 2 && coverage[2 * low] <= value
    }
}
