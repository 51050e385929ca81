/// One reading of one document: collects what is wrong while it builds the values.
///
/// A method that returns nil has made its finding, or met a value whose finding was made before.
struct EditReading {
    private(set) var list = FindingShortlist()
    /// Every time that was read, to be tried at the edit's rate once that is known.
    var times: [Marked<EditTime>] = []
    /// Names of assets that segments use.
    var usedAssets: [Marked<String>] = []
    var usedParameters: Set<String> = []
    /// Declared names, where that is.
    var unusedParameters: [Marked<String>] = []
    /// UTF-8 bytes that parameters have put into the edit.
    var parameterBytes = 0

    init(findings: [Finding] = []) {
        for finding in findings { add(finding) }
    }

    var hasErrors: Bool { list.hasErrors }

    /// Those that are listed.
    var findings: [Finding] { list.findings }

    mutating func report(
        _ rule: EditRule,
        _ mark: SourceMark,
        _ message: String,
        suggestion: String? = nil,
        severity: Finding.Severity = .error
    ) {
        add(mark.finding(severity, rule: rule.rawValue, message, suggestion: suggestion))
    }

    mutating func add(_ finding: Finding) { list.add(finding) }

    /// The members of `node` as an object of kind `object`: unknown, later and missing keys are findings.
    /// Keys that begin with `x-` are the user's own.
    mutating func fields(_ node: JSONNode, as object: EditObject) -> EditFields? {
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

    private mutating func refuse(_ member: JSONMember, in object: EditObject) {
        if object.laterKeys.contains(member.key) {
            return unsupported(member.keyMark, "\"\(member.key)\" in \(object.name)")
        }
        if let (message, suggestion) = object.fade(member) {
            return report(.unknownKey, member.keyMark, message, suggestion: suggestion)
        }
        let known = object.keys.map(\.name) + object.laterKeys
        let suggestion = Spelling.nearest(to: member.key, in: known)
        let message = "\(object.name) has no key \"\(member.key)\""
        report(.unknownKey, member.keyMark, message, suggestion: suggestion.map(JSONText.quoted))
    }

    mutating func unsupported(_ mark: SourceMark, _ what: String) {
        report(.unsupported, mark, "\(what) is part of the edit language, but this version does not render it yet")
    }

    mutating func wrongType(_ node: JSONNode, wanted: String, suggestion: String? = nil) {
        if case .invalid = node.value { return }
        report(.wrongType, node.mark, "\(wanted) is expected here, not \(node.kindName)", suggestion: suggestion)
    }
}
