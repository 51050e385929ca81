import CompositionModel

extension ReadingContext {
    /// The members of `node` as an object of kind `object`: unknown, later and missing keys are findings.
    /// Keys that begin with `x-` are the user's own.
    /// - Returns: nil when `node` is no object.
    func fields(_ node: JSONNode, as object: EditObject) -> EditFields? {
        guard case .object(let members) = node.value else {
            wrongType(node, wanted: object.form, suggestion: object.form(around: node))
            return nil
        }
        let known = object.keys
        var values: [String: JSONNode] = [:]
        for member in members where !member.key.hasPrefix("x-") {
            if known.contains(where: { $0.name == member.key }) {
                values[member.key] = member.node
            } else {
                refuse(member, in: object)
            }
        }
        for key in known where values[key.name] == nil {
            guard let example = key.example else { continue }
            let message = "\(object.name) lacks the key \"\(key.name)\""
            report(.missingKey, node.mark, message, suggestion: "\"\(key.name)\": \(example)")
        }
        return EditFields(object: object, mark: node.mark, members: values)
    }

    private func refuse(_ member: JSONMember, in object: EditObject) {
        if object.laterKeys.contains(member.key) {
            return unsupported(member.keyMark, "\"\(member.key)\" in \(object.name)")
        }
        if let (message, suggestion) = object.fade(member) {
            return report(.unknownKey, member.keyMark, message, suggestion: suggestion)
        }
        if let (message, suggestion) = object.setting(member) {
            return report(.unknownKey, member.keyMark, message, suggestion: suggestion)
        }
        let known = object.keys.map(\.name) + object.laterKeys
        let suggestion = Spelling.nearest(to: member.key, in: known)
        let message = "\(object.name) has no key \"\(member.key)\""
        report(.unknownKey, member.keyMark, message, suggestion: suggestion.map(JSONText.quoted))
    }
}
