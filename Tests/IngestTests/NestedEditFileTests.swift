import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing

/// Edits that name other edits: which files are read, and what is said of them.
@Suite struct NestedEditFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter assets: JSON of its assets, all of which it shows.
    private func write(_ name: String, _ assets: [String: String], more: String = "") throws {
        let named = assets.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        let shown = assets.keys.sorted().map { #"{ "asset": "\#($0)" }"# }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 240], "frameRate": "25" }, \(more)
              "assets": { \(named) }, "tracks": [{ "kind": "video", "segments": [\(shown)] }] }
            """
        let url = URL(fileURLWithPath: folder.path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func findings(_ name: String) -> [Finding] {
        do {
            _ = try EditFile(path: folder.path(name))
            return []
        } catch {
            if case .findings(let findings) = error { return findings } else { return [] }
        }
    }

    @Test func pathsCountFromTheirOwnFile() throws {
        try write("edit.json", ["intro": #"{ "edit": "parts/intro.json" }"#, "b": #""b.mov""#])
        try write("parts/intro.json", ["logo": #""logo.mov""#, "deep": #"{ "edit": "../deep/deep.json" }"#])
        try write("deep/deep.json", ["c": #""c.mov""#])
        let edit = try EditFile(path: folder.path("edit.json"))
        #expect(edit.assets == ["b": .path(folder.path("b.mov"))])
        #expect(edit.nested["intro"]?.assets == ["logo": .path(folder.path("parts/logo.mov"))])
        #expect(
            edit.allAssets == [
                "b": .path(folder.path("b.mov")), "intro/logo": .path(folder.path("parts/logo.mov")),
                "intro/deep/c": .path(folder.path("deep/c.mov")),
            ]
        )
    }

    @Test func aCircleIsNamedInFull() throws {
        try write("a.json", ["part": #"{ "edit": "b.json" }"#])
        try write("b.json", ["part": #"{ "edit": "sub/../c.json" }"#])
        try write("c.json", ["part": #"{ "edit": "a.json" }"#])
        let found = findings("a.json")
        #expect(found.map(\.rule) == ["edit-cycle"])
        #expect(found.first?.message == "edits use each other in a circle: a.json → b.json → c.json → a.json")
        #expect(found.first?.file?.hasSuffix("c.json") == true && found.first?.pointer == "/assets/part")
        #expect(findings("b.json").first?.message.hasSuffix("b.json → c.json → a.json → b.json") == true)
        try write("self.json", ["part": #"{ "edit": "self.json" }"#])
        #expect(findings("self.json").first?.message.hasSuffix("self.json → self.json") == true)
    }

    @Test func findingsNameTheFileTheyAreIn() throws {
        try write("edit.json", ["intro": #"{ "edit": "intro.json" }"#, "gone": #"{ "edit": "gone.json" }"#])
        try write("intro.json", ["a": #""a.mov""#], more: #""snapp": "never","#)
        let found = findings("edit.json")
        #expect(found.map(\.rule) == ["asset-missing", "unknown-key", "asset-missing"])
        #expect(found.first?.message.contains("gone.json cannot be read") == true && found.first?.file == nil)
        #expect(found.dropFirst().allSatisfy { $0.file?.hasSuffix("intro.json") == true && $0.line > 0 })
        #expect(found.last?.message.contains("a.mov does not exist") == true)
    }

    @Test func parametersReachIt() throws {
        let use = #"{ "edit": "intro.json", "params": { "clip": "other.mov" } }"#
        try write("edit.json", ["intro": use, "plain": #"{ "edit": "intro.json" }"#])
        try write(
            "intro.json",
            ["a": #"{ "$param": "clip" }"#],
            more: #""params": { "clip": { "type": "asset", "default": "a.mov" } },"#
        )
        let edit = try EditFile(path: folder.path("edit.json"))
        #expect(edit.nested["intro"]?.assets == ["a": .path(folder.path("other.mov"))])
        #expect(edit.nested["plain"]?.assets == ["a": .path(folder.path("a.mov"))])
        #expect(edit.nested["intro"]?.parameters == ["clip": "other.mov"])
        try write("wrong.json", ["intro": #"{ "edit": "intro.json", "params": { "clipp": "a.mov" } }"#])
        let found = try #require(findings("wrong.json").first)
        #expect(
            found.rule == "unknown-param" && found.file == nil && found.pointer == "/assets/intro" && found.line == 2
        )
        #expect(found.message.contains("intro.json: there is no parameter “clipp”") && found.suggestion == "clip")
        let given = try EditFile(path: folder.path("intro.json"), parameters: ["clip": "third.mov"])
        #expect(given.assets == ["a": .path(folder.path("third.mov"))])
    }

    @Test func tooManyLevelsAreRefused() throws {
        for level in 0...9 { try write("\(level).json", ["part": #"{ "edit": "\#(level + 1).json" }"#]) }
        try write("10.json", ["a": #""a.mov""#])
        #expect(findings("0.json").first?.message == "edits are nested more than 8 deep here")
        #expect(findings("2.json").isEmpty)
    }
}
