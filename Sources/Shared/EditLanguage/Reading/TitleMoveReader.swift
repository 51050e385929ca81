import CompositionModel

/// Reads how a title comes or goes.
struct TitleMoveReader {
    let context: ReadingContext

    /// The name of a move, or an object that says more of it.
    func read(_ node: JSONNode?) -> EditTitleMove? {
        guard let node else { return nil }
        guard case .object = node.value else {
            let kind: Marked<EditTitleMove.Kind>? = context.word(node, "move")
            return kind.map { EditTitleMove(kind: $0.value, mark: node.mark) }
        }
        guard let fields = context.fields(node, as: .titleMove) else { return nil }
        let kind: Marked<EditTitleMove.Kind>? = context.word(fields["move"], "move")
        let (duration, ease) = (
            context.time(fields["duration"], .length), EaseReader(context: context).read(fields["ease"])
        )
        let side: Marked<EditTitleMove.Side>? = context.word(fields["from"], "side")
        if let side, let kind, kind.value != .slide {
            context.report(
                .contradiction,
                side.mark,
                "only a slide comes from a side; leave \"from\" out of a \(kind.value.rawValue)"
            )
        }
        return kind.map {
            EditTitleMove(kind: $0.value, duration: duration, side: side, ease: ease, mark: node.mark)
        }
    }
}
