public import CompositionModel
import Foundation

/// A composition for people: `"composition/1"`, which is accepted as input again.
public enum ExplainPrinter {
    /// The composition as JSON with one member a line, ended by a newline; with `findings`, what was implied stands
    /// above it in comments, which edits may have.
    public static func text(_ composition: Composition, findings: [Finding] = []) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let notes = findings.filter { $0.severity == .note }.map { finding in
            let place = finding.file.map { $0 + ": " } ?? ""
            let lines = (place + finding.message).split(whereSeparator: \.isNewline)
            return "// implied: " + lines.joined(separator: " ") + "\n"
        }
        return notes.joined() + String(decoding: try encoder.encode(composition), as: UTF8.self) + "\n"
    }
}
