extension EditReading {
    /// The effects of a segment, in order.
    mutating func effects(_ node: JSONNode?) -> [EditEffect] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            wrongType(node, wanted: "a list of effects")
            return []
        }
        guard items.count <= Limits.effects else {
            report(.numberRange, node.mark, "a segment has at most \(Limits.effects) effects")
            return []
        }
        return items.compactMap { effect($0) }
    }

    private mutating func effect(_ node: JSONNode) -> EditEffect? {
        guard let fields = fields(node, as: .effect),
            let name: Marked<PictureEffect.Name> = word(fields["effect"], "effect", later: ["lut", "mask"])
        else { return nil }
        checkKeys(of: name.value, node)
        var effect = EditEffect(name: name.value, values: [:], color: nil, mark: node.mark)
        for parameter in name.value.parameters {
            guard let value = fields[parameter.name] else { continue }
            effect.values[parameter.name] = property(value, parameter.name, parameter.form)
        }
        if name.value.standardColor != nil { effect.color = effectColor(fields["color"]) }
        return effect
    }

    /// A key that belongs to another effect would be ignored in silence.
    private mutating func checkKeys(of name: PictureEffect.Name, _ node: JSONNode) {
        guard case .object(let members) = node.value else { return }
        let known = name.parameters.map(\.name) + (name.standardColor == nil ? [] : ["color"])
        for member in members where EditObject.effect.keys.contains(where: { $0.name == member.key }) {
            guard member.key != "effect", !known.contains(member.key) else { continue }
            let list = known.map(JSONText.quoted).joined(separator: ", ")
            let message = "\"\(name.rawValue)\" has no \"\(member.key)\", only \(list)"
            let nearest = Spelling.nearest(to: member.key, in: known) ?? (known.count == 1 ? known[0] : nil)
            report(.unknownKey, member.keyMark, message, suggestion: nearest.map(JSONText.quoted))
        }
    }

    private mutating func effectColor(_ node: JSONNode?) -> Marked<String>? {
        guard let text = text(node) else { return nil }
        guard ColorText.isColor(text.value), text.value.utf8.count == 7 else {
            report(.unknownValue, text.mark, "“\(text.value.prefix(40))” is no colour; write it as \"#rrggbb\"")
            return nil
        }
        return Marked(text.value.lowercased(), text.mark)
    }
}
