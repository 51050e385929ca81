import CompositionModel

/// Reads an edit's text into its value, and finds all that is wrong with it at once, before any media is read.
public enum EditReader {
    /// Reads `"edit/1"` or `"composition/1"`.
    /// - Parameters:
    ///   - parameters: values for the edit's `params`, as text; they replace the defaults.
    ///   - parameterBytes: what parameters have put into other edits of the same submission
    ///     (``EditReadResult/parameterBytes``): all have one allowance.
    /// - Returns: the document, nil only when a finding is an error; and every finding, in the order of the text.
    public static func read(
        _ text: String,
        parameters: [String: String] = [:],
        parameterBytes: Int = 0
    ) -> EditReadResult {
        if let name = ForeignFormat.name(of: text.utf8) { return refusal(.foreignFormat, ForeignFormat.message(name)) }
        let (root, syntax) = JSONReader.read(text)
        let context = ReadingContext(findings: syntax)
        context.parameterBytes = parameterBytes
        let document = root.flatMap { DocumentReader(context: context).read($0, parameters: parameters) }
        return result(document, context, root: root)
    }

    /// Reads the bytes of a file, which must be UTF-8, as ``read(_:parameters:parameterBytes:)`` reads its text.
    public static func read(
        utf8 bytes: some Collection<UInt8>,
        parameters: [String: String] = [:],
        parameterBytes: Int = 0
    ) -> EditReadResult {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            guard let name = ForeignFormat.name(of: bytes) else {
                return refusal(.encoding, "the file is no UTF-8 text; save it as UTF-8")
            }
            return refusal(.foreignFormat, ForeignFormat.message(name))
        }
        return read(text, parameters: parameters, parameterBytes: parameterBytes)
    }

    /// The result for a file of which nothing is read.
    private static func refusal(_ rule: FindingRule, _ message: String) -> EditReadResult {
        let start = SourceMark(pointer: "", line: 1, column: 1)
        return EditReadResult(document: nil, findings: [start.finding(rule: rule, message)], root: nil)
    }

    private static func result(_ document: EditDocument?, _ context: ReadingContext, root: JSONNode?) -> EditReadResult
    {
        EditReadResult(
            document: context.hasErrors ? nil : document,
            findings: sorted(context.findings) + context.list.summary,
            root: root,
            parameterBytes: context.parameterBytes
        )
    }

    /// The findings in the order of the text; those of one place stay in the order in which they were made.
    private static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.enumerated().sorted { first, second in
            (first.element.line, first.element.column, first.offset)
                < (second.element.line, second.element.column, second.offset)
        }.map(\.element)
    }
}
