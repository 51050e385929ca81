import CompositionModel

/// The head of an ASS script for cues without styles of their own.
struct CueHeader {
    let style: SubtitleStyle
    /// The size of the edit's frame, whose pixels the style's lengths count.
    let frame: PictureSize
    let family: String
    /// The height of the family's first face, as a part of its em square.
    let height: Double

    var text: String {
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: \(frame.width)
        PlayResY: \(frame.height)
        ScaledBorderAndShadow: yes
        WrapStyle: 0

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
        MarginV, Encoding
        Style: Default,\(fields.joined(separator: ","))

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """
    }

    private var fields: [String] {
        let color = CueHeader.color(style.color)
        let line = style.background.map { max($0.paddingX, $0.paddingY) } ?? style.outline.width
        let edge = CueHeader.color(style.background?.color ?? style.outline.color)
        let size = CueHeader.decimal(Int64((Double(style.size) * height).rounded()))
        let margins = [style.marginLeft, style.marginRight, style.marginVertical].map { "\(CueHeader.whole($0))" }
        return [family, size, color, color, edge, edge, style.weight == 700 ? "1" : "0", style.isItalic ? "1" : "0"]
            + ["0", "0", "100", "100", "0", "0", style.background == nil ? "1" : "3", CueHeader.decimal(line), "0"]
            + ["\(alignment)"] + margins + ["-1"]
    }

    /// A cue's text with what an ASS style cannot say: it is bold or not, and no other weight.
    func weighed(_ text: String) -> String {
        guard style.weight != 400, style.weight != 700 else { return text }
        return "{\\b\(style.weight)}" + text.replacing("{\\b}", with: "{\\b\(style.weight)}")
    }

    /// The alignment as on a telephone's keys turned upside down: 1 is at the bottom left, 9 at the top right.
    private var alignment: Int64 {
        let (across, down) = style.anchor.halves
        return 3 * (2 - down) + across + 1
    }

    /// `#rrggbbaa` as `&HAABBGGRR`, where 00 is opaque.
    private static func color(_ text: String) -> String {
        let value = UInt32(text.dropFirst(), radix: 16) ?? 0
        let swapped = (255 - value & 255) << 24 | (value >> 8 & 255) << 16 | (value >> 16 & 255) << 8 | value >> 24
        let hex = String(swapped, radix: 16, uppercase: true)
        return "&H" + String(repeating: "0", count: 8 - hex.count) + hex
    }

    static func whole(_ millionths: Int64) -> Int64 { (millionths + 500_000) / 1_000_000 }

    /// The number with a decimal point, whatever the machine's language.
    private static func decimal(_ millionths: Int64) -> String {
        let rest = "\(millionths % 1_000_000)"
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}

extension CuePlace {
    /// The override block and the margins that put a cue here: lengths in pixels of a frame, 0 for the style's.
    /// - Parameter lineHeight: in pixels.
    func block(frame: PictureSize, lineHeight: Int64) -> (tag: String, left: Int64, right: Int64, vertical: Int64) {
        let across: Int64 =
            switch side {
            case .left: 1
            case .center: 2
            case .right: 3
            }
        let width = Int64(frame.width)
        // 0 would ask for the style's margin.
        let left = max(1, width * self.left / 1_000_000)
        let right = max(1, width - width * self.right / 1_000_000)
        let (row, vertical): (Int64, Int64) =
            switch line {
            case nil: (0, 0)
            case .height(let part): (2, max(1, Int64(frame.height) * part / 1_000_000))
            case .number(let number) where number >= 0: (2, max(1, Int64(number) * lineHeight))
            case .number(let number): (0, max(1, Int64(-1 - number) * lineHeight))
            }
        return ("{\\an\(3 * row + across)}", left, right, vertical)
    }
}
