import CompositionModel

/// Reads `font`: which face, and how large.
struct FontReader {
    let context: ReadingContext

    /// - Returns: nil when there is none, or it is no object.
    func read(_ node: JSONNode?) -> EditFont? {
        guard let node, let fields = context.fields(node, as: .font) else { return nil }
        var font = EditFont(mark: node.mark)
        font.families = texts(fields["family"])
        font.assets = texts(fields["asset"])
        font.weight = weight(fields["weight"])
        let style: Marked<FontStyle>? = context.word(fields["style"], "font style")
        font.isItalic = style?.value == .italic
        font.size = LengthReader(context: context).read(fields["size"], "size", 1...4000, .y)
        context.usedAssets += font.assets
        return font
    }

    private enum FontStyle: String, CaseIterable {
        case normal, italic
    }

    /// One text or a list of them.
    private func texts(_ node: JSONNode?) -> [Marked<String>] {
        guard let node else { return [] }
        if case .array(let items) = node.value { return items.compactMap { context.text($0) } }
        return context.text(node).map { [$0] } ?? []
    }

    private func weight(_ node: JSONNode?) -> Marked<Int>? {
        guard let node, case .string = node.value else {
            return context.integer(node, in: 100...900, of: "a font's weight")
        }
        guard let name = context.text(node) else { return nil }
        guard let weight = FontWeight.allCases.first(where: { "\($0)" == name.value }) else {
            context.unknownValue(name, "font weight", known: FontWeight.names)
            return nil
        }
        return Marked(weight.rawValue, node.mark)
    }
}
