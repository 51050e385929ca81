extension TitleText {
    /// The largest area of one text in pixels of the edit's frame, by ``estimatedExtent``.
    package static let mostPixels = 1 << 26
    /// The largest length of a text's longer side, in pixels.
    package static let longestSide = 500_000

    /// The largest area of a text with the margin that blurs need around it, in pixels.
    package static let mostBlurredPixels = 1 << 27

    /// The estimated width and height of the text's picture, in pixels of the edit's frame, without opening a font. A
    /// letter is taken as 0.6 of the em square wide, one of East Asian scripts as all of it, and a line as 1.4 high.
    /// Outline, shadow and background count as far as they are drawn. Numbers out of their ranges give any result, even
    /// one that is not finite.
    package var estimatedExtent: (width: Double, height: Double) {
        let em = Double(size) / 1e6
        let spacing = Double(letterSpacing ?? 0) / 1e6
        let room = box.width.map { max(Double($0) / 1e6, em) }
        var (width, lines) = (0.0, 0.0)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let length = line.unicodeScalars.reduce(0) { $0 + max(0, TitleText.advance($1) * em + spacing) }
            width = max(width, min(length, room ?? length))
            lines += room.map { max(1, (length / $0).rounded(.up)) } ?? 1
        }
        let height = lines * 1.4 * em * Double(lineSpacing ?? 1_000_000) / 1e6
        let (paddingX, paddingY) = (box.background?.paddingX ?? 0, box.background?.paddingY ?? 0)
        return (
            extent(of: width, padding: paddingX, shadow: shadow?.x),
            extent(of: height, padding: paddingY, shadow: shadow?.y)
        )
    }

    /// The length that is drawn along one side for letters that are `length` long, as `TextBlock` (Sources/Titles)
    /// draws it.
    private func extent(of length: Double, padding: Int64, shadow offset: Int64?) -> Double {
        let padding = Double(padding) / 1e6
        let outline = Double(self.outline?.width ?? 0) / 1e6 + 2
        var (first, last) = (min(0, padding - outline), max(length + 2 * padding, padding + length + outline))
        if let offset, let shadow {
            let reach = outline + 3 * Double(shadow.blur) / 1e6 + 2
            let start = padding + Double(offset) / 1e6
            (first, last) = (min(first, start - reach), max(last, start + length + reach))
        }
        return last - first
    }

    /// The width of a character in parts of the em square; marks and joiners have none.
    private static func advance(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: scalar.value < 0x1100 ? 0.6 : 1
        }
    }

    /// The reason why the text cannot be drawn, as a sentence without its full stop; nil when it can.
    /// - Parameter blur: The pixels that the layer's effects need on each side of it.
    package func sizeProblem(blur: Double = 0) -> String? {
        let (width, height) = estimatedExtent
        let isDrawable =
            width * height <= Double(TitleText.mostPixels) && max(width, height) <= Double(TitleText.longestSide)
        guard isDrawable else {
            let limit = "\(TitleText.mostPixels / 1_000_000) million pixels and \(TitleText.longestSide) a side"
            let size = TitleText.pixels(width, height)
            return "the text would be about \(size), more than the \(limit) that can be drawn"
        }
        let blurred = (width: width + 2 * blur, height: height + 2 * blur)
        guard blurred.width * blurred.height > Double(TitleText.mostBlurredPixels) else { return nil }
        let size = TitleText.pixels(blurred.width, blurred.height)
        let limit = "\(TitleText.mostBlurredPixels / 1_000_000) million"
        return "the text would be about \(size) with its blur, more than the \(limit) that can be drawn"
    }

    /// The size for messages; it never traps, even for numbers that are not finite.
    static func pixels(_ width: Double, _ height: Double) -> String {
        let sides = [width, height].map { $0 < 1e9 ? Int(max(0, $0)) : 1_000_000_000 }
        return "\(sides[0]) × \(sides[1]) pixels"
    }

    /// The first character that no text may have: a control character, which could steer a terminal or end a C string.
    /// Line ends and tabs are allowed.
    package static func forbidden(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            scalar.properties.generalCategory == .control && !["\n", "\r", "\t", "\u{85}"].contains(scalar)
        }
    }
}

extension TitleShape {
    /// The reason why the shape cannot be drawn, as a sentence without its full stop; nil when it can.
    package var sizeProblem: String? {
        let (width, height) = (Double(width) / 1e6 + 4, Double(height) / 1e6 + 4)
        guard width * height > Double(TitleText.mostBlurredPixels) else { return nil }
        let limit = "\(TitleText.mostBlurredPixels / 1_000_000) million that can be drawn"
        return "the shape has \(TitleText.pixels(width, height)), more than the \(limit)"
    }
}
