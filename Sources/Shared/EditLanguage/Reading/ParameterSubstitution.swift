import CompositionModel

/// Puts the values of `params` in place of their uses: `{"$param": "name"}` in place of a value, `{{name}}` inside a
/// string.
struct ParameterSubstitution {
    private let context: ReadingContext
    /// The declared names, where that is.
    private let declared: [Marked<String>]
    /// The values by name; invalid after a finding.
    private let values: [String: JSONNode.Value]
    private var used: Set<String> = []

    /// Reads `params` of the document `root`.
    /// - Parameter given: values that replace the defaults, as text; a name that is not declared is a finding.
    init(of root: JSONNode, given: [String: String], context: ReadingContext) {
        let reader = ParameterReader(context: context)
        let members = context.map(root["params"])
        var values: [String: JSONNode.Value] = [:]
        for member in members { values[member.key] = reader.read(member, given: given[member.key]) ?? .invalid }
        (self.context, self.values) = (context, values)
        declared = members.map { Marked($0.key, $0.keyMark) }
        for name in given.keys.sorted() where values[name] == nil {
            unknownParameter(name, SourceMark(pointer: "/params", line: 0, column: 0))
        }
    }

    /// `root` with every use of a parameter replaced by its value, which keeps the place of the use.
    mutating func replaced(_ root: JSONNode) -> JSONNode {
        // Most edits have none, and a large one is not copied for nothing.
        guard case .object(let members) = root.value, ParameterSubstitution.isUsed(in: root) else { return root }
        let replaced = members.map { member in
            guard member.key != "params" else { return member }
            return JSONMember(key: member.key, keyMark: member.keyMark, node: replace(member.node))
        }
        return JSONNode(value: .object(replaced), mark: root.mark)
    }

    /// Warns of what is declared and used nowhere; not when something is wrong, which may well have used it.
    func checkUses() {
        guard !context.hasErrors else { return }
        for name in declared where !used.contains(name.value) {
            let message = "nothing uses the parameter “\(name.value)”"
            context.report(.unusedParameter, name.mark, message, severity: .warning)
        }
    }

    private static func isUsed(in node: JSONNode) -> Bool {
        switch node.value {
        case .array(let items): items.contains(where: isUsed)
        case .string(let text): text.utf8.contains(UInt8(ascii: "{")) && text.contains("{{")
        case .object(let members): members.contains { $0.key == "$param" || isUsed(in: $0.node) }
        default: false
        }
    }

    private mutating func replace(_ node: JSONNode) -> JSONNode {
        var node = node
        switch node.value {
        case .array(let items): node.value = .array(items.map { replace($0) })
        case .string(let text) where text.contains("{{"): node.value = filled(text, node.mark)
        case .object(let members):
            if let use = node["$param"] { return parameterUse(use, in: node, members.count) }
            node.value = .object(
                members.map { JSONMember(key: $0.key, keyMark: $0.keyMark, node: replace($0.node)) }
            )
        default: break
        }
        return node
    }

    private mutating func parameterUse(
        _ use: JSONNode,
        in node: JSONNode,
        _ memberCount: Int
    ) -> JSONNode {
        var node = node
        node.value = .invalid
        guard let name = context.text(use) else { return node }
        guard memberCount == 1 else {
            context.report(.contradiction, node.mark, "\"$param\" stands alone in its object")
            return node
        }
        used.insert(name.value)
        guard let value = values[name.value] else {
            unknownParameter(name.value, name.mark)
            return node
        }
        node.value = counted(value, at: node.mark)
        return node
    }

    /// `value`, or invalid where all that parameters have put into the edit is longer than any edit may be.
    private func counted(_ value: JSONNode.Value, at mark: SourceMark) -> JSONNode.Value {
        switch value {
        case .string(let text), .number(let text): take(text.utf8.count, at: mark) ? value : .invalid
        default: value
        }
    }

    /// Counts bytes that parameters put into the edit.
    /// - Returns: false when that is too much, with a finding for the first time.
    private func take(_ byteCount: Int, at mark: SourceMark) -> Bool {
        let most = JSONLimits().byteCount
        guard context.parameterBytes <= most else { return false }
        context.parameterBytes += byteCount
        guard context.parameterBytes > most else { return true }
        context.report(.limit, mark, "from here on parameters make the edit more than \(most >> 20) MB longer")
        return false
    }

    /// `text` with `{{name}}` replaced; invalid when there is no such parameter.
    private mutating func filled(
        _ text: String,
        _ mark: SourceMark
    ) -> JSONNode.Value {
        var (filled, rest, isKnown) = ("", text[...], true)
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let name = rest[start.upperBound..<end.lowerBound].trimmingPrefix(while: \.isWhitespace)
            let tidy = String(String(name.reversed()).trimmingPrefix(while: \.isWhitespace).reversed())
            filled += rest[..<start.lowerBound]
            used.insert(tidy)
            switch values[tidy] {
            case .string(let value), .number(let value):
                guard take(value.utf8.count, at: mark) else { return .invalid }
                filled += value
            case nil:
                unknownParameter(tidy, mark)
                isKnown = false
            default: isKnown = false
            }
            rest = rest[end.upperBound...]
        }
        filled += rest
        // Each value may end where the next one goes on. This is no JSON any more.
        guard Array(filled.utf8).withUnsafeBytes(StreamSafeText.firstLongRun(inText:)) == nil else {
            let most = StreamSafeText.mostMarks
            let message = "parameters put more than \(most) combining marks in a row here; leave them out"
            context.report(.encoding, mark, message)
            return .invalid
        }
        return isKnown ? .string(filled) : .invalid
    }

    private func unknownParameter(_ name: String, _ mark: SourceMark) {
        // Of many, the last are not listed: nobody needs to look for what they were meant to be.
        let isListed = context.findings.count < FindingShortlist.most
        let suggestion = isListed ? Spelling.nearest(to: name, in: values.keys.sorted()) : nil
        context.report(.unknownParameter, mark, "there is no parameter “\(name)” in params", suggestion: suggestion)
    }
}
