extension EditReading {
    /// The effects of a picture, in order.
    mutating func effects(_ node: JSONNode?) -> [EditEffect] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            wrongType(node, wanted: "a list of effects")
            return []
        }
        guard items.count <= Limits.effects else {
            report(.numberRange, node.mark, "a picture has at most \(Limits.effects) effects")
            return []
        }
        return items.compactMap { effect($0) }
    }

    private mutating func effect(_ node: JSONNode) -> EditEffect? {
        guard let fields = fields(node, as: .effect),
            let name: Marked<PictureEffect.Name> = word(fields["effect"], "effect")
        else { return nil }
        checkKeys(of: name.value, node)
        var effect = EditEffect(name: name.value, values: [:], color: nil, mark: node.mark)
        for parameter in name.value.parameters {
            guard var value = fields[parameter.name] else { continue }
            if parameter.name == "invert", case .bool(let isOn) = value.value {
                value.value = .number(isOn ? "1" : "0")
            }
            effect.values[parameter.name] = property(value, parameter.name, parameter.form)
        }
        if let role = name.value.assetRole { readAsset(role, fields, into: &effect) }
        if name.value.standardColor != nil { effect.color = effectColor(fields["color"]) }
        return effect
    }

    private mutating func readAsset(
        _ role: PictureEffect.AssetRole,
        _ fields: EditFields,
        into effect: inout EditEffect
    ) {
        guard let node = fields["asset"] else {
            let message = role == .lut ? "a lut names a .cube file" : "a mask names a picture"
            let example = role == .lut ? "\"asset\": \"look\"" : "\"asset\": \"matte\""
            return report(.missingKey, fields.mark, "\(message) of assets in \"asset\"", suggestion: example)
        }
        effect.asset = text(node)
        if let asset = effect.asset { usedAssets.append(asset) }
        guard role == .mask else { return }
        effect.channel = word(fields["channel"], "channel")
        effect.start = time(fields["in"], .inPoint)
    }

    /// A key that belongs to another effect would be ignored in silence.
    private mutating func checkKeys(of name: PictureEffect.Name, _ node: JSONNode) {
        guard case .object(let members) = node.value else { return }
        let known = name.assetKeys + name.parameters.map(\.name) + (name.standardColor == nil ? [] : ["color"])
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
            let message = "“\(text.value.prefix(40))” is no colour; write it as \"#rrggbb\""
            report(.unknownValue, text.mark, message, suggestion: ColorText.suggestion(for: text.value))
            return nil
        }
        return Marked(text.value.lowercased(), text.mark)
    }
}

extension PictureEffect.Name {
    /// Keys that say which asset it works with, and how.
    fileprivate var assetKeys: [String] {
        switch assetRole {
        case nil: []
        case .lut: ["asset"]
        case .mask: ["asset", "channel", "in"]
        }
    }
}
