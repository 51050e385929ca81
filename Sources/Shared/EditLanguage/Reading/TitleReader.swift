import CompositionModel

/// Reads what stands in the list of a title track.
struct TitleReader {
    let context: ReadingContext

    /// A title or a gap.
    func read(_ node: JSONNode) -> EditTitleItem? {
        if node["gap"] != nil { return GapReader(context: context).read(node).map(EditTitleItem.gap) }
        if node["transition"] != nil {
            context.report(
                .transitionPlace,
                node.mark,
                "a title track has no transitions; write \"enter\" and \"exit\" instead"
            )
            return nil
        }
        return title(node).map(EditTitleItem.title)
    }

    private func title(_ node: JSONNode) -> EditTitle? {
        guard let fields = context.fields(node, as: .title) else { return nil }
        let (content, duration) = (titleContent(fields), context.time(fields["duration"], .length))
        let at = context.time(fields["at"], .place)
        let snap: Marked<SnapRule>? = context.word(fields["snap"], "rule to snap")
        let appearance = AppearanceReader(context: context).read(fields)
        let moves = TitleMoveReader(context: context)
        let (enter, exit) = (moves.read(fields["enter"]), moves.read(fields["exit"]))
        if fields["subtitles"] != nil, let move = [enter, exit].compactMap(\.self).first(where: { $0.kind == .type }) {
            context.report(.contradiction, move.mark, "subtitles cannot be typed; \"fade\" makes them come and go")
        }
        guard let content, let duration else { return nil }
        var title = EditTitle(content: content, duration: duration, at: at, snap: snap, mark: node.mark)
        (title.appearance, title.enter, title.exit) = (appearance, enter, exit)
        return title
    }

    private func titleContent(_ fields: EditFields) -> EditTitleContent? {
        if let subtitles = fields["subtitles"] { return SubtitlesReader(context: context).read(subtitles, fields) }
        if let start = fields["in"] {
            context.report(.contradiction, start.mark, "only subtitles have an \"in\"")
        }
        guard let layers = fields["layers"] else {
            return TitleTextReader(context: context).read(fields).map(EditTitleContent.text)
        }
        if let other = EditObject.textKeys.compactMap({ fields[$0.name] }).first {
            let message = "a title has a text or layers; the text belongs into one of the layers"
            context.report(.contradiction, other.mark, message)
            return nil
        }
        return TitleLayerReader(context: context).read(layers).map(EditTitleContent.layers)
    }
}
