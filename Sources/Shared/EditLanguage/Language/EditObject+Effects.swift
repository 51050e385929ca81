import CompositionModel

extension EditObject {
    /// The name, and the parameters of all effects: which belong to which is found when an edit is read.
    static let effectKeys: [EditKey] =
        [
            EditKey(
                "effect",
                .words(PictureEffect.Name.allCases.map(\.rawValue)),
                required: #""blur""#,
                "Which it is."
            ),
            EditKey("color", .pattern("^#[0-9a-fA-F]{6}$"), "Of chromaKey and dropShadow."),
            EditKey("asset", .text, "Of lut, a .cube file, and mask, a picture: a name in assets."),
            EditKey(
                "channel",
                .words(EffectSource.Channel.allCases.map(\.rawValue)),
                "Of mask: what of it decides; alpha where the asset has it."
            ),
            EditKey("in", .time, "Of mask: its source time beside the clip's \"in\"; the same when missing."),
        ] + parameterNames.map { EditKey($0, $0 == "invert" ? .anyOf([.flag, value]) : value, summary($0)) }

    /// A number or a length, several, or keys.
    private static let value = EditShape.anyOf([length, .list(length), .list(.object(.propertyKey))])

    /// The names of all parameters, each once, in the order of the effects.
    private static let parameterNames: [String] = PictureEffect.Name.allCases.reduce(into: []) { names, effect in
        for name in effect.parameters.map(\.key.name) where !names.contains(name) { names.append(name) }
    }

    private static func summary(_ name: String) -> String {
        let owners = PictureEffect.Name.allCases.filter { $0.parameters.contains { $0.key.name == name } }
        return "Of " + owners.map(\.rawValue).joined(separator: ", ") + "."
    }
}
