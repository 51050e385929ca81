/// From an edit's text to its value: all that is wrong with it at once, before any media is read.
public enum EditReader {
    /// Findings beyond these are counted, not listed.
    static let findingLimit = 500

    /// Reads `"edit/1"` or `"composition/1"`.
    /// - Parameter parameters: values for the edit's `params`, as text; they replace the defaults.
    /// - Returns: the document, nil only when a finding is an error; and every finding, in the order of the text.
    public static func read(_ text: String, parameters: [String: String] = [:]) -> EditReadResult {
        if let name = ForeignFormat.name(of: text.utf8) { return refusal(.foreignFormat, ForeignFormat.message(name)) }
        let (root, syntax) = JSONReader.read(text)
        var reading = EditReading(findings: syntax)
        guard let root else { return result(nil, reading, root: nil) }
        let document = reading.document(root, parameters: parameters)
        return result(document, reading, root: root)
    }

    /// As ``read(_:parameters:)``, from the bytes of a file, which must be UTF-8.
    public static func read(utf8 bytes: some Collection<UInt8>, parameters: [String: String] = [:]) -> EditReadResult {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            guard let name = ForeignFormat.name(of: bytes) else {
                return refusal(.encoding, "the file is no UTF-8 text; save it as UTF-8")
            }
            return refusal(.foreignFormat, ForeignFormat.message(name))
        }
        return read(text, parameters: parameters)
    }

    /// Of the whole file.
    private static func refusal(_ rule: EditRule, _ message: String) -> EditReadResult {
        let start = SourceMark(pointer: "", line: 1, column: 1)
        return EditReadResult(document: nil, findings: [start.finding(rule: rule.rawValue, message)], root: nil)
    }

    private static func result(_ document: EditDocument?, _ reading: EditReading, root: JSONNode?) -> EditReadResult {
        let hasError = reading.findings.contains { $0.severity == .error }
        return EditReadResult(
            document: hasError ? nil : document,
            findings: limited(sorted(reading.findings)),
            root: root
        )
    }

    /// In the order of the text; those of one place stay in the order in which they were made.
    private static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.enumerated().sorted { first, second in
            (first.element.line, first.element.column, first.offset)
                < (second.element.line, second.element.column, second.offset)
        }.map(\.element)
    }

    private static func limited(_ findings: [Finding]) -> [Finding] {
        guard findings.count > findingLimit else { return findings }
        let message = "\(findings.count - findingLimit) more findings are not listed"
        let rest = SourceMark.nowhere.finding(rule: EditRule.limit.rawValue, message)
        return findings.prefix(findingLimit) + [rest]
    }
}
