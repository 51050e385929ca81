import CompositionModel

/// Reads the text of a title or of a layer, and how it is drawn.
struct TitleTextReader {
    let context: ReadingContext

    /// - Parameter fields: the title, or the text layer.
    func read(_ fields: EditFields) -> EditTitleText? {
        let text = titleWords(fields["text"])
        if fields["text"] == nil {
            let message = "the key \"text\" is missing in \(fields.object.name): what it says"
            context.report(.missingKey, fields.mark, message)
        }
        let written = EditTitleText(
            text: text ?? Marked("", fields.mark),
            font: FontReader(context: context).read(fields["font"]) ?? EditFont(mark: fields.mark),
            color: context.color(fields["color"]),
            alignment: context.word(fields["align"], "alignment"),
            language: context.text(fields["language"]),
            lineSpacing: context.factor(fields["lineSpacing"], "lineSpacing", upTo: 100),
            letterSpacing: LengthReader(context: context).read(
                fields["letterSpacing"],
                "letterSpacing",
                -1000...1000,
                .x
            ),
            box: fields["box"].flatMap { TitleBoxReader(context: context).read($0) },
            outline: fields["outline"].flatMap { TitleStyleReader(context: context).outline($0) },
            shadow: fields["shadow"].flatMap { TitleStyleReader(context: context).shadow($0) }
        )
        return text == nil ? nil : written
    }

    /// Without control characters: they draw nothing, and U+0000 hides the rest.
    private func titleWords(_ node: JSONNode?) -> Marked<String>? {
        guard let node, case .string(let words) = node.value, let scalar = TitleText.forbidden(in: words) else {
            return context.text(node)
        }
        let drawn = words.unicodeScalars.filter { TitleText.forbidden(in: String($0)) == nil }
        let clean = String(String.UnicodeScalarView(drawn))
        let message = "the text has the control character \(scalar.codePoint), which draws nothing"
        let suggestion = clean.isEmpty || clean.utf8.count > 80 ? nil : JSONText.quoted(clean)
        context.report(.unknownValue, node.mark, message, suggestion: suggestion)
        return nil
    }
}
