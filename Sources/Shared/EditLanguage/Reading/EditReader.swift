import CompositionModel

/// Reads an edit's text into its value, and finds all that is wrong with it at once, before any media is read.
package enum EditReader {
    /// Reads `"edit/1"` or `"composition/1"`.
    /// - Parameters:
    ///   - parameters: values for the edit's `params`, as text; they replace the defaults.
    ///   - parameterBytes: what parameters have put into other edits of the same submission
    ///     (``EditReadResult/parameterBytes``): all have one allowance.
    ///   - fileName: the name of the file that holds the text, for a finding about media in place of an edit.
    /// - Returns: the document, nil only when a finding is an error; and every finding, in the order of the text. When
    ///   the task is cancelled, reading soon ends, and that is the only finding.
    package static func read(
        _ text: String,
        parameters: [String: String] = [:],
        parameterBytes: Int = 0,
        fileName: String? = nil
    ) -> EditReadResult {
        if let foreign = ForeignFormat.of(text.utf8) { return refusal(foreign, fileName) }
        if let place = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            let advice = "the file is damaged, or of another format"
            return refusal(.encoding, "line \(line) has the byte 0, which no text has; \(advice)")
        }
        if let line = StreamSafeText.lineOfLongRun(inJSON: text) {
            let most = StreamSafeText.mostMarks
            return refusal(
                .encoding,
                "line \(line) has more than \(most) combining marks in a row, and no script needs as many; leave them out"
            )
        }
        let (root, syntax) = JSONReader.read(text, isCancellable: true)
        let context = ReadingContext(findings: syntax)
        context.parameterBytes = parameterBytes
        let document = SpellingAllowance.limited {
            root.flatMap { DocumentReader(context: context).read($0, parameters: parameters) }
        }
        // What was read after the task was cancelled is not whole.
        guard !Task.isCancelled else {
            return refusal(.limit, "reading was stopped, because nobody waits for it any more")
        }
        return result(document, context, JSONPlaces(of: text))
    }

    /// Reads the bytes of a file, which must be UTF-8, as ``read(_:parameters:parameterBytes:fileName:)`` reads its text.
    package static func read(
        utf8 bytes: some Collection<UInt8>,
        parameters: [String: String] = [:],
        parameterBytes: Int = 0,
        fileName: String? = nil
    ) -> EditReadResult {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            guard let foreign = ForeignFormat.of(bytes) else {
                return refusal(.encoding, "the file is no UTF-8 text; save it as UTF-8")
            }
            return refusal(foreign, fileName)
        }
        return read(text, parameters: parameters, parameterBytes: parameterBytes, fileName: fileName)
    }

    /// The result for a file of which nothing is read.
    private static func refusal(_ rule: FindingRule, _ message: String, suggestion: String? = nil) -> EditReadResult {
        let start = SourceMark(pointer: "", line: 1, column: 1)
        var finding = start.finding(rule: rule, message)
        finding.suggestion = suggestion
        return EditReadResult(document: nil, findings: [finding], places: nil)
    }

    private static func refusal(_ foreign: ForeignFormat, _ fileName: String?) -> EditReadResult {
        refusal(.foreignFormat, foreign.message, suggestion: foreign.firstEdit(fileName))
    }

    private static func result(
        _ document: EditDocument?,
        _ context: ReadingContext,
        _ places: JSONPlaces
    ) -> EditReadResult {
        EditReadResult(
            document: context.hasErrors ? nil : document,
            draft: document,
            findings: sorted(context.findings) + context.list.summary,
            places: places,
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
