import CompositionModel

extension ReadingContext {
    /// The members of `node` as an object of kind `object`: unknown, later and missing keys are findings.
    /// Keys that begin with `x-` are the user's own. The value of a key that stands for a required one is read as that,
    /// so that what is wrong inside it is found too.
    /// - Returns: nil when `node` is no object, and when the task is cancelled, so that the rest of a long text is
    ///   passed over. ``EditReader`` drops what was read then.
    func fields(_ node: JSONNode, as object: EditObject) -> EditFields? {
        guard !Task.isCancelled else { return nil }
        guard case .object(let members) = node.value else {
            wrongType(node, wanted: object.form, suggestion: object.form(around: node))
            return nil
        }
        let table = object.table
        let known = members.allSatisfy { table.names.contains($0.key) } ? members : known(members, of: node, as: object)
        for key in table.required where !known.contains(where: { $0.key == key.name }) {
            guard let example = key.example else { continue }
            let message = "\(object.name) lacks the key \"\(key.name)\""
            report(.missingKey, node.mark, message, suggestion: "\"\(key.name)\": \(example)")
        }
        return EditFields(object: object, mark: node.mark, members: known)
    }

    /// The members with keys of `object`; the others are findings, and may stand for one that it requires.
    private func known(_ members: [JSONMember], of node: JSONNode, as object: EditObject) -> [JSONMember] {
        var known: [JSONMember] = []
        for member in members where !member.key.hasPrefix("x-") {
            if object.table.names.contains(member.key) {
                known.append(member)
            } else if let meant = refuse(member, in: object), node[meant] == nil,
                !known.contains(where: { $0.key == meant })
            {
                known.append(JSONMember(key: meant, keyMark: member.keyMark, node: member.node))
            }
        }
        return known
    }

    /// Makes the finding about a key that `object` does not have.
    /// - Returns: the required key that it most likely stands for; nil when there is none.
    private func refuse(_ member: JSONMember, in object: EditObject) -> String? {
        if object.laterKeys.contains(member.key) {
            unsupported(member.keyMark, "\"\(member.key)\" in \(object.name)")
            return nil
        }
        if let (message, suggestion) = object.fade(member) ?? object.setting(member) {
            report(.unknownKey, member.keyMark, message, suggestion: suggestion)
            return nil
        }
        let known = object.keys.map(\.name) + object.laterKeys
        let suggestion = Spelling.nearest(to: member.key, in: known)
        let message = "\(object.name) has no key \"\(member.key)\""
        report(.unknownKey, member.keyMark, message, suggestion: suggestion.map(JSONText.quoted))
        return object.keys.first { $0.name == suggestion && $0.example != nil }?.name
    }
}
