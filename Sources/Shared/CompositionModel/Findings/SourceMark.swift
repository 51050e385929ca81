/// The place in an edit's text where a value stands.
package struct SourceMark: Sendable, Hashable {
    /// JSON Pointer (RFC 6901); empty for the whole document.
    package let pointer: String
    // A text has at most 16 MiB, and an edit has a mark for each of its values.
    private let line32: Int32
    private let column32: Int32

    /// The line, from 1; 0 when the value stands in no text.
    package var line: Int { Int(line32) }
    /// The column in Unicode scalars, from 1.
    package var column: Int { Int(column32) }

    package init(pointer: String, line: Int, column: Int) {
        self.pointer = pointer
        line32 = Int32(clamping: line)
        column32 = Int32(clamping: column)
    }

    /// The mark of a value that was implied and never written.
    package static let nowhere = SourceMark(pointer: "", line: 0, column: 0)

    /// A finding of `rule` at this place.
    package func finding(
        _ severity: Finding.Severity = .error,
        rule: FindingRule,
        _ message: String,
        suggestion: String? = nil
    ) -> Finding {
        Finding(
            severity: severity,
            rule: rule,
            pointer: pointer,
            line: line,
            column: column,
            message: message,
            suggestion: suggestion
        )
    }
}
