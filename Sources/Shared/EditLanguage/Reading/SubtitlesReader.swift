import CompositionModel

/// Reads a title that shows the cues of a subtitle file.
struct SubtitlesReader {
    let context: ReadingContext

    /// - Parameters:
    ///   - node: the value of `subtitles`.
    ///   - fields: the title.
    func read(_ node: JSONNode, _ fields: EditFields) -> EditTitleContent? {
        let others = ["text", "layers", "align", "lineSpacing", "letterSpacing", "shadow"]
        for other in others.compactMap({ fields[$0] }) {
            let message = "subtitles bring their own text; this belongs to a title of its own"
            context.report(.contradiction, other.mark, message)
        }
        let font = FontReader(context: context).read(fields["font"]) ?? EditFont(mark: fields.mark)
        let (color, language) = (context.color(fields["color"]), context.text(fields["language"]))
        let outline = fields["outline"].flatMap { TitleStyleReader(context: context).outline($0) }
        let box = fields["box"].flatMap { TitleBoxReader(context: context).read($0) }
        let start = context.time(fields["in"], .place)
        guard let asset = context.text(node) else { return nil }
        context.usedAssets.append(asset)
        let looks = ["color", "outline", "box"].compactMap { fields[$0]?.mark }
        let isSized = font.size != nil || font.weight != nil || font.isItalic
        return .subtitles(
            EditSubtitles(
                asset: asset,
                start: start,
                font: font,
                color: color,
                language: language,
                outline: outline,
                box: box,
                styleMark: looks.first ?? (isSized ? font.mark : nil)
            )
        )
    }
}
