import CompositionModel

/// Reads `box`: where a text stands in the frame, and what is drawn behind it.
struct TitleBoxReader {
    let context: ReadingContext

    /// - Returns: nil when it is no object.
    func read(_ node: JSONNode) -> EditTitleBox? {
        guard let fields = context.fields(node, as: .titleBox) else { return nil }
        return EditTitleBox(
            anchor: context.word(fields["anchor"], "anchor"),
            margin: LengthReader(context: context).pair(fields["margin"], "margin", 0...Limits.layerLengths.upperBound),
            width: LengthReader(context: context).read(fields["width"], "width", 1...Int64(Limits.longestSide), .x),
            background: fields["background"].flatMap { background($0) }
        )
    }

    private func background(_ node: JSONNode) -> EditTitleBackground? {
        guard case .object = node.value else { return context.color(node).map { EditTitleBackground(color: $0) } }
        guard let fields = context.fields(node, as: .titleBackground) else { return nil }
        let padding = LengthReader(context: context).pair(fields["padding"], "padding", 0...1000)
        let radius = LengthReader(context: context).read(fields["radius"], "radius", 0...1000, .y)
        return context.color(fields["color"]).map { EditTitleBackground(color: $0, padding: padding, radius: radius) }
    }
}
