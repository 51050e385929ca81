import CompositionModel

/// What makes libass open every face that a script needs, always in the same order: for each font that is asked for,
/// one character of each kind, where two are of one kind when the same faces have them.
struct FaceOrder {
    /// Texts of events, one for each use that has a character.
    let events: [String]
    let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment, Encoding
        Style: Default,Arial,16,&H00FFFFFF,0,0,7,-1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    /// - Parameters:
    ///   - isOwn: an empty family is that of the cues' style.
    ///   - weight: the weight of the style, in place of the regular one.
    init(_ uses: [SubtitleFontUse], fonts: [SubtitleFont], isOwn: Bool, weight: Int) {
        events = uses.map { use in
            let family = use.family.isEmpty && isOwn ? SubtitleRenderer.ownFamily : use.family
            let own = use.weight == 400 ? weight : use.weight
            let tags = "{\\fn\(family)\\b\(own)\\i\(use.isItalic ? 1 : 0)}"
            return tags + FaceOrder.characters(use, fonts).map { "\($0)" }.joined(separator: "{\\u1}{\\u0}")
        }
    }

    /// The space and its unbreakable sister are asked for by libass itself.
    private static func characters(_ use: SubtitleFontUse, _ fonts: [SubtitleFont]) -> [Unicode.Scalar] {
        var known: Set<[Bool]> = []
        let all = [" ", "\u{A0}"] + use.text.unicodeScalars
        return all.filter { scalar in
            guard scalar.value >= 0x20, scalar != "{", scalar != "}", scalar != "\\" else { return false }
            let kind = fonts.map { $0.covers(scalar) }
            return kind.contains(true) && known.insert(kind).inserted
        }
    }
}
