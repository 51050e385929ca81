import Foundation
import Testing

@testable import CompositionModel

@Suite struct TransitionDocumentTests {
    /// docs/transitions.md has a row for every kind, as `cutfarm transitions` prints it, and every other word.
    @Test func theDocumentIsUpToDate() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let text = try String(contentsOf: root.appending(path: "docs/transitions.md"), encoding: .utf8)
        for kind in TransitionKind.allCases {
            #expect(text.contains("| `\(kind.rawValue)` | \(kind.parameterList) | \(kind.summary) |"))
        }
        for name in TransitionName.aliases where !name.hasPrefix("xfade-") { #expect(text.contains("`\(name)`")) }
    }

    @Test func noTwoKindsHaveOneSummary() {
        #expect(Set(TransitionKind.allCases.map(\.summary)).count == TransitionKind.allCases.count)
    }
}
