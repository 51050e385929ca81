/// One error, warning or note about an edit: where it is, what it is, and what to do.
package struct Finding: Sendable, Hashable, Codable {
    /// The weight of a finding; only an error stops the edit from being rendered.
    package enum Severity: String, Sendable, Hashable, Codable {
        case error, warning
        /// A choice that was implied, such as a format taken from the first asset.
        case note
    }

    /// Whether it is an error, a warning or a note.
    package var severity: Severity
    /// The raw value of a ``FindingRule``. It stays text, so that a finding of a newer coordinator, whose rule this
    /// version does not know, is read and shown all the same.
    package private(set) var rule: String
    /// JSON Pointer (RFC 6901) of the value at fault; empty for the whole.
    package var pointer: String
    /// The line, from 1; 0 when there is no text (facts of media, not of the edit).
    package var line: Int
    /// The column in Unicode scalars, from 1.
    package var column: Int
    /// The problem, as one sentence.
    package var message: String
    /// The text to write instead; nil when it is not known.
    package var suggestion: String?
    /// The file of the nested edit that the finding is about; nil for the edit that was checked.
    package private(set) var file: String?

    /// The most bytes of UTF-8 that a pointer, a message, a suggestion or a file name has.
    private static let mostBytes = 2000

    /// Makes a finding. A very long pointer, message or file name is cut, and a very long suggestion left out.
    package init(
        severity: Severity = .error,
        rule: FindingRule,
        pointer: String,
        line: Int,
        column: Int,
        message: String,
        suggestion: String? = nil,
        file: String? = nil
    ) {
        _ = WorkMeter.step(1 + (pointer.utf8.count + message.utf8.count) / 1000)
        self.severity = severity
        self.rule = rule.rawValue
        self.pointer = pointer.cut(to: Finding.mostBytes)
        self.line = line
        self.column = column
        self.message = message.cut(to: Finding.mostBytes)
        self.suggestion = suggestion.flatMap { $0.utf8.count > Finding.mostBytes ? nil : $0 }
        self.file = file?.cut(to: Finding.mostBytes)
    }

    /// This finding as one of a nested edit; one of an edit nested in that keeps its own file.
    package func inside(_ file: String) -> Finding {
        var finding = self
        finding.file = finding.file ?? file.cut(to: Finding.mostBytes)
        return finding
    }

    /// Whether this finding is of `rule`.
    package func breaks(_ rule: FindingRule) -> Bool { self.rule == rule.rawValue }
}

extension String {
    /// The text, or its beginning and an ellipsis where it has more than `count` bytes of UTF-8.
    package func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        // An index inside a character's bytes counts as its first.
        return self[..<utf8.index(startIndex, offsetBy: count)] + "…"
    }
}
