extension TitleText {
    /// Pixels that may be drawn of one text, in the edit's frame, as ``estimatedExtent`` has them.
    public static let mostPixels = 1 << 26
    /// Of its longer side.
    public static let longestSide = 500_000

    /// About how wide and high the text is in pixels of the edit's frame, without opening a font: a letter is 0.6 of the
    /// em square wide, one of the scripts that are written in squares all of it, a line 1.4 high.
    var estimatedExtent: (width: Double, height: Double) {
        let em = Double(size) / 1e6
        let spacing = Double(letterSpacing ?? 0) / 1e6
        let room = box.width.map { max(Double($0) / 1e6, em) }
        var (width, lines) = (0.0, 0.0)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let length = line.unicodeScalars.reduce(0) { $0 + max(0, TitleText.advance($1) * em + spacing) }
            width = max(width, min(length, room ?? length))
            lines += room.map { max(1, (length / $0).rounded(.up)) } ?? 1
        }
        let (paddingX, paddingY) = (box.background?.paddingX ?? 0, box.background?.paddingY ?? 0)
        let height = lines * 1.4 * em * Double(lineSpacing ?? 1_000_000) / 1e6
        return (width + 2 * Double(paddingX) / 1e6, height + 2 * Double(paddingY) / 1e6)
    }

    /// Parts of the em square: marks and joiners take no room.
    private static func advance(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: scalar.value < 0x1100 ? 0.6 : 1
        }
    }

    /// Why it cannot be drawn, as a sentence without its end; nil when it can.
    var sizeProblem: String? {
        let (width, height) = estimatedExtent
        let isDrawable =
            width * height <= Double(TitleText.mostPixels) && max(width, height) <= Double(TitleText.longestSide)
        guard !isDrawable else { return nil }
        let limit = "\(TitleText.mostPixels / 1_000_000) million pixels and \(TitleText.longestSide) a side"
        return "the text would be about \(Int(width)) × \(Int(height)) pixels, more than the \(limit) that can be drawn"
    }

    /// The first character that no text may have: one that steers a terminal or ends a string of C. Lines end with
    /// `\n`, and tabulators are drawn.
    static func forbidden(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            scalar.properties.generalCategory == .control && !["\n", "\r", "\t", "\u{85}"].contains(scalar)
        }
    }
}
