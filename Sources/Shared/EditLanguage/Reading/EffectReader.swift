import CompositionModel

/// Reads the `effects` of a picture.
struct EffectReader {
    let context: ReadingContext

    /// The effects of a picture, in order.
    func read(_ node: JSONNode?) -> [EditEffect] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            context.wrongType(node, wanted: "a list of effects")
            return []
        }
        guard items.count <= Limits.effects else {
            context.report(.numberRange, node.mark, "a picture has at most \(Limits.effects) effects")
            return []
        }
        return items.compactMap { effect($0) }
    }

    private func effect(_ node: JSONNode) -> EditEffect? {
        guard let fields = context.fields(node, as: .effect),
            let name: Marked<PictureEffect.Name> = context.word(fields["effect"], "effect")
        else { return nil }
        checkKeys(of: name.value, node)
        var effect = EditEffect(name: name.value, values: [:], color: nil, mark: node.mark)
        for parameter in name.value.parameters {
            let key = parameter.key
            guard var value = fields[key.name] else { continue }
            if key == .invert, case .bool(let isOn) = value.value {
                value.value = .number(isOn ? "1" : "0")
            }
            effect.values[key] = PropertyReader(context: context).read(value, key.name, parameter.form)
        }
        if let role = name.value.assetRole { readAsset(role, fields, into: &effect) }
        if name.value.standardColor != nil { effect.color = context.opaqueColor(fields["color"]) }
        return effect
    }

    private func readAsset(
        _ role: PictureEffect.AssetRole,
        _ fields: EditFields,
        into effect: inout EditEffect
    ) {
        guard let node = fields["asset"] else {
            let message = role == .lut ? "a lut names a .cube file" : "a mask names a picture"
            let example = role == .lut ? "\"asset\": \"look\"" : "\"asset\": \"matte\""
            return context.report(.missingKey, fields.mark, "\(message) of assets in \"asset\"", suggestion: example)
        }
        effect.asset = context.text(node)
        if let asset = effect.asset { context.usedAssets.append(asset) }
        guard role == .mask else { return }
        effect.channel = context.word(fields["channel"], "channel")
        effect.start = context.time(fields["in"], .inPoint)
    }

    /// A key that belongs to another effect would be ignored in silence.
    private func checkKeys(of name: PictureEffect.Name, _ node: JSONNode) {
        guard case .object(let members) = node.value else { return }
        let known = name.assetKeys + name.parameters.map(\.key.name) + (name.standardColor == nil ? [] : ["color"])
        for member in members where EditObject.effect.table.names.contains(member.key) {
            guard member.key != "effect", !known.contains(member.key) else { continue }
            let list = known.map(JSONText.quoted).joined(separator: ", ")
            let message = "\"\(name.rawValue)\" has no \"\(member.key)\", only \(list)"
            let nearest = Spelling.nearest(to: member.key, in: known) ?? (known.count == 1 ? known[0] : nil)
            context.report(.unknownKey, member.keyMark, message, suggestion: nearest.map(JSONText.quoted))
        }
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
