import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing
import Timing

@Suite struct EditFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("edit.json")
        try write(
            """
            { "schema": "edit/1", "format": { "size": [320, 240], "frameRate": "25" },
              "assets": { "a": "media/../a.mov", "b": "/films/b.mov" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }, { "asset": "b" }] }] }
            """
        )
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    @Test func pathsCountFromTheEditsFolder() throws {
        let edit = try EditFile(path: path)
        #expect(edit.assets == ["a": .path(folder.path("a.mov")), "b": .path("/films/b.mov")])
    }

    /// A file of exactly that name is meant, and no numbered pictures.
    @Test func aFileMayBeNamedLikeAPattern() throws {
        try write(
            """
            { "schema": "edit/1", "format": { "size": [320, 240], "frameRate": "25" },
              "assets": { "a": "take%d.mov", "b": "frame_%04d.png" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }, { "asset": "b", "duration": "1f" }] }] }
            """
        )
        try Data("clip".utf8).write(to: URL(fileURLWithPath: folder.path("take%d.mov")))
        let edit = try EditFile(path: path)
        #expect(edit.assets["a"] == .path(folder.path("take%d.mov")))
        #expect(edit.assets["b"] == .sequence(folder.path("frame_%04d.png"), try FrameRate(25)))
    }

    @Test func replacementsCountFromTheWorkingFolder() throws {
        let edit = try EditFile(path: path, replacements: ["b": "other.mov"])
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        #expect(edit.assets["b"] == .path(here.appendingPathComponent("other.mov").standardizedFileURL.path))
        #expect(edit.assets["a"] == .path(folder.path("a.mov")))
    }

    func sentence(_ replacements: [String: String] = [:]) -> String? {
        do {
            _ = try EditFile(path: path, replacements: replacements)
            return nil
        } catch {
            if case .unreadable(let sentence) = error { return sentence } else { return "findings" }
        }
    }

    @Test func bytesThatAreNoTextAreAFinding() throws {
        try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: path))
        do {
            _ = try EditFile(path: path)
            Issue.record("no refusal")
        } catch {
            guard case .findings(let findings) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(findings.map(\.rule) == ["encoding"])
        }
    }

    @Test func whatCannotBeUsedIsSaid() throws {
        #expect(sentence(["c": "x"])?.contains("no asset of that name") == true)
        try write("{ \"schema\": \"edit/1\", \"tracks\": 3 }")
        #expect(sentence() == "findings")
        try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: path))
        #expect(sentence() == "findings")
        try FileManager.default.removeItem(atPath: path)
        #expect(sentence()?.contains("cannot be read") == true)
    }
}
