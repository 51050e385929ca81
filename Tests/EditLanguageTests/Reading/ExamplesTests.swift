import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage

/// The examples of the package are sound, and so is what the documents say of the language.
@Suite struct ExamplesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    static let examples =
        (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Examples").path))?
        .filter { $0.hasSuffix(".json") }.sorted() ?? []

    @Test func thereAreExamples() { #expect(!ExamplesTests.examples.isEmpty) }

    @Test(arguments: examples) func reads(name: String) throws {
        let data = try Data(contentsOf: ExamplesTests.root.appending(path: "Examples/" + name))
        let result = EditReader.read(utf8: data)
        #expect(result.findings.isEmpty)
        #expect(result.document != nil)
    }

    static let documents =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }

    /// Each edit that stands whole in a document, between its fences.
    static func edits(in text: String) -> [String] {
        text.components(separatedBy: "\n```").filter { block in
            block.hasPrefix("json") && block.contains("\"schema\": \"edit/1\"")
        }.map { $0.drop { $0 != "\n" }.description }
    }

    @Test func documentsHaveWholeEdits() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/edit-format.md"), encoding: .utf8)
        let edits = Self.edits(in: text)
        #expect(edits.count >= 2 && edits.contains { $0.contains("\"equalizer\"") && $0.contains("\"duck\"") })
    }

    @Test(arguments: documents) func editsInDocumentsAreSound(name: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
        for edit in Self.edits(in: text) {
            let result = EditReader.read(edit)
            #expect(result.findings.isEmpty && result.document != nil, "\(edit)")
        }
    }

    @Test func theDocumentNamesEveryKey() throws {
        let text = try String(contentsOf: ExamplesTests.root.appending(path: "docs/edit-format.md"), encoding: .utf8)
        for key in EditObject.allCases.flatMap(\.keys) { #expect(text.contains(key.name), "\(key.name)") }
    }
}
