import CompositionModel

/// Reads what is drawn about the letters of a title: outline and shadow.
struct TitleStyleReader {
    let context: ReadingContext

    /// A line around the letters.
    func outline(_ node: JSONNode) -> EditTitleOutline? {
        guard let fields = context.fields(node, as: .titleOutline) else { return nil }
        let color = context.color(fields["color"])
        return LengthReader(context: context).read(fields["width"], "width", 0...500, .y).map {
            EditTitleOutline(width: $0, color: color)
        }
    }

    /// A blurred copy behind the letters.
    func shadow(_ node: JSONNode) -> EditTitleShadow? {
        guard let fields = context.fields(node, as: .titleShadow) else { return nil }
        return EditTitleShadow(
            offset: LengthReader(context: context).pair(fields["offset"], "offset", -1000...1000),
            blur: LengthReader(context: context).read(fields["blur"], "blur", 0...200, .y),
            color: context.color(fields["color"])
        )
    }
}
