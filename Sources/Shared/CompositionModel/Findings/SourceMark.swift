/// The place in an edit's text where a value stands.
package struct SourceMark: Sendable {
    /// The path of the value.
    package let path: SourcePath
    // A text has at most 16 MiB, and an edit has a mark for each of its values.
    private let line32: Int32
    private let column32: Int32

    /// The line, from 1; 0 when the value stands in no text.
    package var line: Int { Int(line32) }
    /// The column in Unicode scalars, from 1.
    package var column: Int { Int(column32) }

    package init(_ path: SourcePath, line: Int, column: Int) {
        self.path = path
        line32 = Int32(clamping: line)
        column32 = Int32(clamping: column)
    }

    package init(pointer: String, line: Int, column: Int) {
        self.init(SourcePath(pointer: pointer), line: line, column: column)
    }

    /// JSON Pointer (RFC 6901); empty for the whole document.
    package var pointer: String { path.pointer }

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

extension SourceMark: Hashable {
    // Lines and columns first: most marks differ in them, and pointers are put together to be compared.
    package static func == (left: SourceMark, right: SourceMark) -> Bool {
        left.line32 == right.line32 && left.column32 == right.column32 && left.path == right.path
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(line32)
        hasher.combine(column32)
    }
}
