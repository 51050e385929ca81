extension String {
    /// The text without anything that a terminal obeys: control characters are replaced by their Unicode pictures
    /// (U+2400 …), and those that change the direction or hide text by U+FFFD. A tabulator becomes a space.
    package var visible: String {
        guard unicodeScalars.contains(where: { $0.isObeyed }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09: text.append(" ")
            case 0..<0x20: text.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}")
            case 0x7f: text.append("\u{2421}")
            default: text.append(scalar.isObeyed ? "\u{fffd}" : scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether terminals or text layout obey the character instead of showing it: C0 and C1 controls, line and
    /// paragraph separators, and directional formatting (Unicode Standard Annex 9).
    fileprivate var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x200e...0x200f, 0x2066...0x2069, 0x061c: true
        default: false
        }
    }
}
