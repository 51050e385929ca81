/// Reads colours as an edit writes them.
package enum ColorText {
    /// Whether `text` is `#rrggbb` or `#rrggbbaa`, in digits of either case.
    package static func isColor(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "#"), bytes.count == 7 || bytes.count == 9 else { return false }
        return bytes.dropFirst().allSatisfy { byte in
            (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
        }
    }

    /// The colour that `text` probably means, in quotes: `#fc0` and `ffcc00`, as CSS and other programs write them, and
    /// the sixteen names of HTML 4. nil means that there is no guess.
    package static func suggestion(for text: String) -> String? {
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
        let doubled = digits.map { "\($0)\($0)" }.joined()
        for candidate in [names[text.lowercased()] ?? "", "#" + digits, "#" + doubled] where isColor(candidate) {
            return "\"\(candidate)\""
        }
        return nil
    }

    private static let names = [
        "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff",
        "maroon": "#800000", "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff", "magenta": "#ff00ff",
        "green": "#008000", "lime": "#00ff00", "olive": "#808000", "yellow": "#ffff00", "navy": "#000080",
        "blue": "#0000ff", "teal": "#008080", "aqua": "#00ffff", "cyan": "#00ffff",
    ]
}
