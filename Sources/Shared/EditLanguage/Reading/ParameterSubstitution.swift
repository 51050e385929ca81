// `params` and their uses: `{"$param": "name"}` in place of a value, `{{name}}` inside a string.
extension EditReading {
    /// `root` with every use of a parameter replaced by its value, which keeps the place of the use.
    mutating func substituted(_ root: JSONNode, parameters given: [String: String]) -> JSONNode {
        var table: [String: JSONNode.Value] = [:]
        let declared = map(root["params"])
        for member in declared { table[member.key] = parameter(member, given: given[member.key]) ?? .invalid }
        for name in given.keys.sorted() where table[name] == nil {
            unknownParameter(name, known: table, SourceMark(pointer: "/params", line: 0, column: 0))
        }
        guard case .object(let members) = root.value else { return root }
        let replaced = members.map { member in
            guard member.key != "params" else { return member }
            return JSONMember(key: member.key, keyMark: member.keyMark, node: replace(member.node, by: table))
        }
        for member in declared where !usedParameters.contains(member.key) {
            unusedParameters.append(Marked(member.key, member.keyMark))
        }
        return JSONNode(value: .object(replaced), mark: root.mark)
    }

    /// Warns of what is declared and used nowhere; not when something is wrong, which may well have used it.
    mutating func checkParameterUses() {
        guard !hasErrors else { return }
        for name in unusedParameters {
            report(.unusedParameter, name.mark, "nothing uses the parameter “\(name.value)”", severity: .warning)
        }
    }

    /// The value of one declared parameter.
    private mutating func parameter(_ member: JSONMember, given: String?) -> JSONNode.Value? {
        guard let fields = fields(member.node, as: .parameter),
            let type: Marked<ParameterType> = word(fields["type"], "type of parameter")
        else { return nil }
        let value: JSONNode.Value? = given.map { type.value == .number ? .number($0) : .string($0) }
        guard let value = value ?? fields["default"]?.value else {
            report(.parameterValue, member.keyMark, "the parameter “\(member.key)” has no value and no default")
            return nil
        }
        guard EditReading.fits(value, type.value) else {
            let mark = given == nil ? fields["default"]?.mark ?? member.keyMark : member.keyMark
            report(.parameterValue, mark, "the value of “\(member.key)” is no \(type.value.rawValue)")
            return nil
        }
        return value
    }

    private static func fits(_ value: JSONNode.Value, _ type: ParameterType) -> Bool {
        switch (type, value) {
        case (.number, .number(let text)): JSONReader.isNumber(text)
        case (.asset, .string(let text)): !text.isEmpty
        case (.string, .string): true
        case (.time, .string(let text)): (try? TimeText.read(text)) != nil
        case (.color, .string(let text)): ColorText.isColor(text)
        default: false
        }
    }

    private mutating func replace(_ node: JSONNode, by table: [String: JSONNode.Value]) -> JSONNode {
        var node = node
        switch node.value {
        case .array(let items): node.value = .array(items.map { replace($0, by: table) })
        case .string(let text) where text.contains("{{"): node.value = filled(text, node.mark, from: table)
        case .object(let members):
            if let use = node["$param"] { return parameterUse(use, in: node, members.count, table) }
            node.value = .object(
                members.map { JSONMember(key: $0.key, keyMark: $0.keyMark, node: replace($0.node, by: table)) }
            )
        default: break
        }
        return node
    }

    private mutating func parameterUse(
        _ use: JSONNode,
        in node: JSONNode,
        _ memberCount: Int,
        _ table: [String: JSONNode.Value]
    ) -> JSONNode {
        var node = node
        node.value = .invalid
        guard let name = text(use) else { return node }
        guard memberCount == 1 else {
            report(.contradiction, node.mark, "\"$param\" stands alone in its object")
            return node
        }
        usedParameters.insert(name.value)
        guard let value = table[name.value] else {
            unknownParameter(name.value, known: table, name.mark)
            return node
        }
        node.value = counted(value, at: node.mark)
        return node
    }

    /// `value`, or invalid where all that parameters have put into the edit is longer than any edit may be.
    private mutating func counted(_ value: JSONNode.Value, at mark: SourceMark) -> JSONNode.Value {
        switch value {
        case .string(let text), .number(let text): take(text.utf8.count, at: mark) ? value : .invalid
        default: value
        }
    }

    /// Counts bytes that parameters put into the edit.
    /// - Returns: false when that is too much, with a finding for the first time.
    private mutating func take(_ byteCount: Int, at mark: SourceMark) -> Bool {
        let most = JSONLimits().byteCount
        guard parameterBytes <= most else { return false }
        parameterBytes += byteCount
        guard parameterBytes > most else { return true }
        report(.limit, mark, "from here on parameters make the edit more than \(most >> 20) MB longer")
        return false
    }

    /// `text` with `{{name}}` replaced; invalid when there is no such parameter.
    private mutating func filled(
        _ text: String,
        _ mark: SourceMark,
        from table: [String: JSONNode.Value]
    ) -> JSONNode.Value {
        var (filled, rest, isKnown) = ("", text[...], true)
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let name = rest[start.upperBound..<end.lowerBound].trimmingPrefix(while: \.isWhitespace)
            let tidy = String(String(name.reversed()).trimmingPrefix(while: \.isWhitespace).reversed())
            filled += rest[..<start.lowerBound]
            usedParameters.insert(tidy)
            switch table[tidy] {
            case .string(let value), .number(let value):
                guard take(value.utf8.count, at: mark) else { return .invalid }
                filled += value
            case nil:
                unknownParameter(tidy, known: table, mark)
                isKnown = false
            default: isKnown = false
            }
            rest = rest[end.upperBound...]
        }
        return isKnown ? .string(filled + rest) : .invalid
    }

    private mutating func unknownParameter(_ name: String, known: [String: JSONNode.Value], _ mark: SourceMark) {
        // Of many, the last are not listed: nobody needs to look for what they were meant to be.
        let isListed = findings.count < FindingShortlist.most
        let suggestion = isListed ? Spelling.nearest(to: name, in: known.keys.sorted()) : nil
        report(.unknownParameter, mark, "there is no parameter “\(name)” in params", suggestion: suggestion)
    }
}
