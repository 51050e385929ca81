package import CompositionModel
import Foundation

/// Prints a composition for people as `"composition/1"`, which is accepted as input again.
package enum ExplainPrinter {
    /// The composition as JSON with one member per line, ended by a newline. The notes among `findings` stand above it
    /// as comments, which edits may have.
    /// - Throws: `EncodingError`, which no composition causes.
    package static func text(_ composition: Composition, findings: [Finding] = []) throws -> String {
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
