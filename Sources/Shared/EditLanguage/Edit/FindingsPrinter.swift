package import CompositionModel

/// Findings as lines of text, in the form that editors and CI know from compilers.
package enum FindingsPrinter {
    /// `file:line:column: error: sentence (suggestion) [rule] at /pointer`. A finding without a line has none and no
    /// column; one of the whole document has no pointer.
    package static func line(_ finding: Finding, file: String) -> String {
        let file = finding.file ?? file
        let place = finding.line > 0 ? "\(file):\(finding.line):\(finding.column)" : file
        let suggestion = finding.suggestion.map { " (write \($0))" } ?? ""
        let pointer = finding.pointer.isEmpty ? "" : " at \(finding.pointer)"
        let message = "\(finding.severity.rawValue): \(finding.message)\(suggestion)"
        return printable("\(place): \(message) [\(finding.rule)]\(pointer)")
    }

    /// The lines of all findings, each, ended by a newline.
    package static func text(_ findings: [Finding], file: String) -> String {
        findings.map { line($0, file: file) + "\n" }.joined()
    }

    /// The line without control characters and those that change its direction: an edit's text must not steer a
    /// terminal, nor break a line.
    private static func printable(_ line: String) -> String {
        String(String.UnicodeScalarView(line.unicodeScalars.map { isObeyed($0.properties) ? "�" : $0 }))
    }

    private static func isObeyed(_ character: Unicode.Scalar.Properties) -> Bool {
        character.generalCategory == .control || character.isBidiControl
    }
}
