import CompositionModel

// What is said in place of a bare “an object”: how one is written, and the one that a lone value was meant to be.
extension EditObject {
    /// An object as a message asks for it, such as `an object such as { "target": "-16LUFS" }`.
    var form: String {
        let members = example(of: namedKeys)
        return members.isEmpty || members.count > 80 ? "an object" : "an object such as { \(members) }"
    }

    /// The object that says what `node` says by itself: `"-16LUFS"` as `{ "target": "-16LUFS" }`.
    /// - Returns: nil where that is not clear.
    func form(around node: JSONNode) -> String? {
        guard isNamedByOne, let key = namedKeys.first, let value = key.shape.text(of: node) else { return nil }
        let rest = example(of: Array(namedKeys.dropFirst()))
        let bands = value == JSONText.quoted(SoundProcessor.Name.equalizer.rawValue) ? EditObject.exampleBand : ""
        return "{ " + (["\"\(key.name)\": \(value)", rest, bands].filter { !$0.isEmpty }.joined(separator: ", ")) + " }"
    }

    /// Whether one of its keys says what it is.
    private var isNamedByOne: Bool {
        [.processor, .effect, .duck, .masterLoudness, .masterLimiter].contains(self)
    }

    /// The keys that it cannot be without; for a limiter the one it has.
    private var namedKeys: [EditKey] {
        let required = keys.filter(\.isRequired)
        return required.isEmpty && keys.count == 1 ? keys : required
    }

    private func example(of keys: [EditKey]) -> String {
        keys.map { "\"\($0.name)\": \($0.example ?? #""-1dB""#)" }.joined(separator: ", ")
    }
}

extension EditShape {
    /// `node` as JSON, where it may stand for a value of this shape: of words the nearest.
    fileprivate func text(of node: JSONNode) -> String? {
        switch (self, node.value) {
        case (.words(let known), .string(let word)): Spelling.nearest(to: word, in: known).map(JSONText.quoted)
        case (.words, _), (.text, .number): nil
        case (_, .string(let text)): JSONText.quoted(String(text.prefix(40)))
        case (_, .number(let number)): number
        default: nil
        }
    }
}
